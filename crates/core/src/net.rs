//! Which addresses are public. Every room that opens a connection to where a tenant points asks here.

use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use ipnet::{Ipv4Net, Ipv6Net};

const fn v4(a: u8, b: u8, c: u8, d: u8, prefix: u8) -> Ipv4Net {
    Ipv4Net::new_assert(Ipv4Addr::new(a, b, c, d), prefix)
}

const fn v6(first: u16, second: u16, third: u16, prefix: u8) -> Ipv6Net {
    Ipv6Net::new_assert(Ipv6Addr::new(first, second, third, 0, 0, 0, 0, 0), prefix)
}

/// The IPv4 networks that are not the public internet, from IANA's registry of special addresses.
const NOT_PUBLIC_V4: [Ipv4Net; 16] = [
    v4(0, 0, 0, 0, 8),        // this network
    v4(10, 0, 0, 0, 8),       // private
    v4(100, 64, 0, 0, 10),    // shared by a provider's customers
    v4(127, 0, 0, 0, 8),      // loopback
    v4(168, 63, 129, 16, 32), // public by its number, but the host's own agent inside Azure
    v4(169, 254, 0, 0, 16),   // link-local, where the metadata services of clouds live
    v4(172, 16, 0, 0, 12),    // private
    v4(192, 0, 0, 0, 24),     // assigned to protocols
    v4(192, 0, 2, 0, 24),     // documentation
    v4(192, 88, 99, 0, 24),   // relays from IPv6, withdrawn
    v4(192, 168, 0, 0, 16),   // private
    v4(198, 18, 0, 0, 15),    // benchmarking
    v4(198, 51, 100, 0, 24),  // documentation
    v4(203, 0, 113, 0, 24),   // documentation
    v4(224, 0, 0, 0, 4),      // multicast
    v4(240, 0, 0, 0, 4),      // reserved, and broadcast
];

/// All of IPv6 that is given out to the public internet.
const GLOBAL_V6: Ipv6Net = v6(0x2000, 0, 0, 3);

/// What lies in it and is not public after all.
const NOT_PUBLIC_V6: [Ipv6Net; 4] = [
    // Assigned to protocols. Teredo, whose addresses hide an IPv4 address, is one of them.
    v6(0x2001, 0, 0, 23),
    v6(0x2001, 0x0db8, 0, 32), // documentation
    v6(0x2002, 0, 0, 16),      // 6to4, whose addresses hide an IPv4 address too; withdrawn
    v6(0x3fff, 0, 0, 20),      // documentation
];

/// IPv4 as seen from networks that have only IPv6. Their resolvers answer with such addresses for
/// every host that has no other, so they count as the IPv4 address in their last four bytes.
const NAT64: Ipv6Net = v6(0x0064, 0xff9b, 0, 96);

/// Whether an address is on the public internet.
#[must_use]
pub fn is_public(address: IpAddr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) if NAT64.contains(&address) => is_public_v4(last_four(address)),
        IpAddr::V6(address) => {
            GLOBAL_V6.contains(&address) && !NOT_PUBLIC_V6.iter().any(|net| net.contains(&address))
        }
    }
}

/// Whom an address stands for where attempts are counted: one of IPv4 for itself, and one of IPv6 for
/// the whole network that a single customer is given.
#[must_use]
pub fn counted_as(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).into()
        }
        four @ IpAddr::V4(_) => four,
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    !NOT_PUBLIC_V4.iter().any(|net| net.contains(&address))
}

fn last_four(address: Ipv6Addr) -> Ipv4Addr {
    let [.., a, b, c, d] = address.octets();
    Ipv4Addr::new(a, b, c, d)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_table_of_addresses() {
        let public = [
            "1.1.1.1",
            "8.8.8.8",
            "100.63.255.255",
            "100.128.0.0",
            "126.255.255.255",
            "128.0.0.1",
            "168.63.129.15",
            "169.253.255.255",
            "172.15.255.255",
            "172.32.0.0",
            "192.0.1.1",
            "192.167.255.255",
            "198.17.255.255",
            "198.20.0.0",
            "223.255.255.255",
            "2606:4700:4700::1111",
            "2001:4860:4860::8888",
            "2a00:1450:4003:80e::200e",
            "::ffff:8.8.8.8",
            "64:ff9b::808:808",
        ];
        let inside = [
            "0.0.0.0",
            "0.1.2.3",
            "10.0.0.1",
            "10.255.255.255",
            "100.64.0.1",
            "100.100.100.200",
            "100.127.255.255",
            "127.0.0.1",
            "127.255.255.254",
            "168.63.129.16",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.192",
            "192.0.2.1",
            "192.88.99.1",
            "192.168.0.1",
            "198.18.0.1",
            "198.19.255.255",
            "198.51.100.7",
            "203.0.113.7",
            "224.0.0.1",
            "239.255.255.255",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            // Compatible with IPv4, in the oldest spelling.
            "::8.8.8.8",
            "::127.0.0.1",
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "::ffff:169.254.169.254",
            // Translated, in the spelling of RFC 2765.
            "::ffff:0:127.0.0.1",
            "64:ff9b::7f00:1",
            "64:ff9b::a9fe:a9fe",
            // A prefix for translators inside a house.
            "64:ff9b:1::808:808",
            "100::1",
            // Teredo, with 127.0.0.1 hidden as it does.
            "2001:0:808:808:0:0:80ff:fffe",
            "2001:10::1",
            "2001:20::1",
            "2001:2::1",
            "2001:db8::1",
            "3fff::1",
            // 6to4, of 127.0.0.1 and of a public address.
            "2002:7f00:1::",
            "2002:808:808::",
            "5f00::1",
            "fc00::1",
            "fd00:ec2::254",
            "fe80::1",
            "fec0::1",
            "ff02::1",
        ];
        for text in public {
            assert!(is_public(text.parse().unwrap()), "{text} is public");
        }
        for text in inside {
            assert!(!is_public(text.parse().unwrap()), "{text} is not public");
        }
    }

    #[test]
    fn a_customer_of_ipv6_is_one_however_many_addresses_they_have() {
        let counted = |text: &str| counted_as(text.parse().unwrap()).to_string();
        assert_eq!(counted("198.51.100.7"), "198.51.100.7");
        assert_eq!(counted("::ffff:198.51.100.7"), "198.51.100.7");
        assert_eq!(counted("2001:4860:1:2:3:4:5:6"), "2001:4860:1:2::");
        assert_ne!(counted("2001:4860:1:2::1"), counted("2001:4860:1:3::1"));
    }

    proptest! {
        /// However an IPv4 address is dressed, it is no more public than it is naked.
        #[test]
        fn no_dress_makes_an_address_public(bits: u32, low: u64) {
            let naked = Ipv4Addr::from(bits);
            let public = is_public(naked.into());
            let [a, b] = [(bits >> 16) as u16, (bits & 0xffff) as u16];
            let mapped = naked.to_ipv6_mapped();
            let nat64 = Ipv6Addr::new(0x64, 0xff9b, 0, 0, 0, 0, a, b);
            prop_assert_eq!(is_public(mapped.into()), public);
            prop_assert_eq!(is_public(nat64.into()), public);
            let compatible = Ipv6Addr::from(u128::from(bits));
            let six_to_four = Ipv6Addr::from((0x2002u128 << 112) | (u128::from(bits) << 80) | u128::from(low));
            let teredo = Ipv6Addr::from((0x2001_0000u128 << 96) | (u128::from(bits) << 64) | u128::from(low));
            prop_assert!(!is_public(compatible.into()));
            prop_assert!(!is_public(six_to_four.into()));
            prop_assert!(!is_public(teredo.into()));
        }

        /// The standard library's own notions are all on the refusing side.
        #[test]
        fn what_the_standard_library_knows_as_special_is_refused(four: u32, six: u128) {
            let four = Ipv4Addr::from(four);
            if four.is_private() || four.is_loopback() || four.is_link_local() || four.is_broadcast()
                || four.is_documentation() || four.is_multicast() || four.is_unspecified()
            {
                prop_assert!(!is_public(four.into()));
            }
            let six = Ipv6Addr::from(six);
            if six.is_multicast() || six.is_unicast_link_local() || six.is_unique_local() {
                prop_assert!(!is_public(six.into()));
            }
        }

        /// Every address of a refused network is refused, not only its first.
        #[test]
        fn networks_are_refused_to_their_ends(four: u32, six: u128) {
            for net in NOT_PUBLIC_V4 {
                let inside = u32::from(net.network()) | (four & u32::from(net.hostmask()));
                prop_assert!(!is_public(Ipv4Addr::from(inside).into()));
            }
            for net in NOT_PUBLIC_V6 {
                let inside = u128::from(net.network()) | (six & u128::from(net.hostmask()));
                prop_assert!(!is_public(Ipv6Addr::from(inside).into()));
            }
        }
    }
}
