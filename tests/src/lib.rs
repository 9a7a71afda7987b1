//! Black-box tests of the product.
