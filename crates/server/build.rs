//! The web pages are read into the binary: when they are built anew, so is it.

fn main() {
    println!("cargo:rerun-if-changed=../../web/dist");
}
