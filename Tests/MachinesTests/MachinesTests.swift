// Tests of Machines.
