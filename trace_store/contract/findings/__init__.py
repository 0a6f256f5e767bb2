"""The kinds of findings as data (chapter 10 of the contract): what each means, and the page made of them."""
