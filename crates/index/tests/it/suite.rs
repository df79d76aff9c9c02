//! The embedded engine does what every engine must do.

use crate::subject::Embedded;

quipu_testkit::engine_suite!(Embedded::default());
