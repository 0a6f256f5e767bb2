"""The findings: one module for each subject that they are about. Their kinds are data of the contract."""
