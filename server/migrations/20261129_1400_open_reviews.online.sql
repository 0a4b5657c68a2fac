-- Reviews that are open, in the orders of their lists. The indexes of all reviews begin with those that were decided, whose
-- number grows with each year.

create index concurrently if not exists probation_reviews_open_end_idx on probation_reviews (probation_end_date, id)
  where status in ('pending', 'submitted', 'sent_back');

create index concurrently if not exists probation_reviews_open_due_idx on probation_reviews (due_date, id)
  where status in ('pending', 'submitted', 'sent_back');
