"""Measures of leaky ResNets: Hamiltonian, energies and cost of identity in each layer."""
