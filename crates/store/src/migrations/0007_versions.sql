-- A number for each tenant that is another one whenever something changed that is kept in memory:
-- agents, what they may read, the catalogue, settings and secrets. Triggers set it, so that no way to
-- change those things can forget to.
CREATE TABLE tenant_versions (
  tenant_id {uuid} NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  version   bigint NOT NULL DEFAULT 0,
  CONSTRAINT tenant_versions_pkey PRIMARY KEY (tenant_id)
);
INSERT INTO tenant_versions (tenant_id) SELECT id FROM tenants;
