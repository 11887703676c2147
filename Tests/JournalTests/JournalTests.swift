// Tests of Journal.
