-- Who last gave an account another address, or sent a link to one that somebody else gave it: the address may be the
-- setter's, and with it a password that is chosen by a link. Null while the address is the one the account began with,
-- or the owner's choice. No reference, for the reason of password_issued_by.
alter table users add column address_set_by bigint;
