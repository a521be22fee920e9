-- A delivery that waits for a disabled endpoint stays pending, so disabling and enabling an endpoint leaves no work
-- to remember: what an endpoint is still owed is made due here.
update webhook_deliveries
set state = 'pending', attempts = 0, next_attempt_at = enabled_at, finished_at = null
from webhook_endpoints
where webhook_endpoints.id = endpoint_id and settled_to is not null and missed_since is not null
  and event <> 'ping' and lease is null and (
    (state in ('failed', 'exhausted') and finished_at >= missed_since)
    or (state = 'pending' and webhook_deliveries.created_at < enabled_at and next_attempt_at > enabled_at)
  );

alter table webhook_endpoints drop column settled_to, drop column missed_since, drop column enabled_at;
