//! The files people sent: nobody else's, all of them or nothing, gone when they are gone.

mod fake_s3;
mod folder;
mod s3;
mod shelf;
