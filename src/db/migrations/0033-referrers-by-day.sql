-- Referrers of a range, or of all time, are summed from days.
drop table analytics_referrer_months;
drop table analytics_referrers;
drop function month_of(date);
