// Tests of Policies.
