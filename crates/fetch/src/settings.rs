//! What an operator may decide about reading pages.

use ipnet::IpNet;
use std::time::Duration;

#[derive(Clone, Debug)]
pub struct FetchSettings {
    /// Networks that may be read although they are not public, such as an intranet whose pages
    /// are meant for the agents. Whoever may add a page may then read all that answers in them.
    pub allow_networks: Vec<IpNet>,
    /// The ports that may be connected to. A short list keeps us from being used to scan.
    pub allow_ports: Vec<u16>,
    /// How long looking up a name may take, and then connecting.
    pub connect_timeout: Duration,
    /// How long everything may take together, redirects and body included.
    pub total_timeout: Duration,
}

impl Default for FetchSettings {
    fn default() -> Self {
        Self {
            allow_networks: Vec::new(),
            allow_ports: vec![80, 443, 8080, 8443],
            connect_timeout: Duration::from_secs(5),
            total_timeout: Duration::from_secs(30),
        }
    }
}
