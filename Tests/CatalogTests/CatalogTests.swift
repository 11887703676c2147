// Tests of Catalog.
