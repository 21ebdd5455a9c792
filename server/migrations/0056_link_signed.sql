-- Whether the merchant signed the pay link: only then does the page of the payment repeat the order's text.
-- additive
alter table transactions add column link_signed boolean;
