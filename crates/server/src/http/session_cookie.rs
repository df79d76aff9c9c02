//! The cookie by which a browser is known again. No script reads it, and over https no other host or
//! path can set one of its name.

use axum::http::HeaderMap;
use axum::http::header::COOKIE;

#[derive(Clone, Copy, Debug)]
pub(crate) struct SessionCookie {
    /// Whether browsers reach the server by https.
    pub(crate) secure: bool,
}

impl SessionCookie {
    fn name(self) -> &'static str {
        if self.secure {
            "__Host-quipu_session"
        } else {
            "quipu_session"
        }
    }

    /// What is sent to be kept for so many seconds; 0 to be forgotten.
    pub(crate) fn written(self, token: &str, seconds: i64) -> String {
        let name = self.name();
        let secure = if self.secure { "; Secure" } else { "" };
        format!("{name}={token}; Path=/; HttpOnly; SameSite=Lax; Max-Age={seconds}{secure}")
    }

    pub(crate) fn read(self, headers: &HeaderMap) -> Option<String> {
        let name = self.name();
        headers
            .get_all(COOKIE)
            .iter()
            .filter_map(|value| value.to_str().ok())
            .flat_map(|value| value.split(';'))
            .filter_map(|pair| pair.trim().split_once('='))
            .find(|(key, value)| *key == name && value.len() <= 200)
            .map(|(_, value)| value.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn over_https_only_the_name_that_no_other_host_can_set_is_read() {
        let mut headers = HeaderMap::new();
        let both = "quipu_session=planted; __Host-quipu_session=own";
        headers.insert(COOKIE, both.parse().unwrap());
        let secure = SessionCookie { secure: true };
        assert_eq!(secure.read(&headers).as_deref(), Some("own"));
        let plain = SessionCookie { secure: false };
        assert_eq!(plain.read(&headers).as_deref(), Some("planted"));
        headers.insert(COOKIE, "quipu_session=planted".parse().unwrap());
        assert_eq!(secure.read(&headers), None);
        let forgotten = secure.written("", 0);
        assert!(
            forgotten.starts_with("__Host-quipu_session=; Path=/;")
                && forgotten.ends_with("; Secure")
        );
    }
}
