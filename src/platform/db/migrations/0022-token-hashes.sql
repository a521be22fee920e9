-- contract in 0.2.0

drop table one_time_links, unsubscribe_links;
alter table invitations drop column sha256;
alter table unconfirmed_addresses drop column token_sha256;

-- Only applications wait: an address comes before the form.
delete from sign_ups where state = 'unconfirmed';
delete from mails where kind = 'confirm_sign_up' and state = 'pending';
alter table sign_ups drop column is_confirmed, drop column invitation_id, drop column token_sha256,
  drop column page_sha256, drop column next, drop constraint sign_ups_state_check,
  add constraint sign_ups_state_check check (state in ('applied', 'declined'));
