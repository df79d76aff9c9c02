//! Forms that carry files, read piece by piece and never whole.

use axum::body::BodyDataStream;
use axum::extract::Request;
use axum::http::HeaderMap;
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE, EXPECT};
use bytes::Bytes;
use futures::{Stream, StreamExt};
use quipu_core::validate::{Checks, Problem};
use quipu_core::{Error, ErrorCode, Result};
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};

/// What may come in before the parser has made sense of what came before: it keeps that in memory
/// and goes through it again with every piece. The head of a part is far shorter.
const MAX_UNREAD: u64 = 64 * 1024;
/// The longest field that is not a file.
const MAX_TEXT_BYTES: usize = 64 * 1024;
/// Fields that are not files.
const MAX_TEXTS: usize = 200;
const MAX_NAME_CHARS: usize = 200;

/// A `multipart/form-data` body on its way in.
pub(crate) struct Form {
    incoming: Arc<Incoming>,
    parser: Option<multer::Multipart<'static>>,
    /// The part that is being read.
    part: Option<multer::Field<'static>>,
    texts: usize,
    broken: bool,
    /// The client sends nothing before it hears from us.
    waits: bool,
    /// The client says itself that it sends more than it may.
    oversized: bool,
}

pub(crate) enum Part<'a> {
    File { name: String, body: FileBody<'a> },
    Text { name: String, value: String },
}

impl Form {
    pub(crate) fn new(request: Request, max_bytes: u64) -> Self {
        let headers = request.headers();
        let boundary = header(headers, CONTENT_TYPE.as_str())
            .and_then(|kind| multer::parse_boundary(kind).ok());
        let waits = header(headers, EXPECT.as_str())
            .is_some_and(|value| value.eq_ignore_ascii_case("100-continue"));
        let oversized = header(headers, CONTENT_LENGTH.as_str())
            .and_then(|length| length.parse::<u64>().ok())
            .is_some_and(|length| length > max_bytes);
        let incoming = Arc::new(Incoming {
            body: Mutex::new(request.into_body().into_data_stream()),
            max_bytes,
            total: AtomicU64::new(0),
            unread: AtomicU64::new(0),
            too_large: AtomicBool::new(oversized),
        });
        let parser = boundary.map(|boundary| {
            let pieces = Pieces {
                incoming: incoming.clone(),
                pause: false,
            };
            multer::Multipart::new(pieces, boundary)
        });
        Self {
            incoming,
            parser,
            part: None,
            texts: 0,
            broken: false,
            waits,
            oversized,
        }
    }

    /// The next part. What is left of the one before is passed over.
    ///
    /// # Errors
    /// `INVALID_MULTIPART`, `BODY_TOO_LARGE`, or `VALIDATION_FAILED` for a field that is too long.
    pub(crate) async fn next(&mut self) -> Result<Option<Part<'_>>> {
        while let Some(piece) = self.piece().await {
            piece?;
        }
        self.part = None;
        let Some(parser) = self.parser.as_mut().filter(|_| !self.oversized) else {
            return Err(self.unreadable("no boundary"));
        };
        let field = match parser.next_field().await {
            Ok(Some(field)) => field,
            Ok(None) => return Ok(None),
            Err(error) => return Err(self.unreadable(&reason(&error))),
        };
        self.incoming.made_sense();
        let name = shortened(field.name().unwrap_or_default());
        let filename = shortened(field.file_name().unwrap_or_default());
        self.part = Some(field);
        // Browsers give every file a name; programs sometimes leave it to the field.
        if !filename.is_empty() || matches!(name.as_str(), "file" | "files") {
            return Ok(Some(Part::File {
                name: filename,
                body: FileBody(self),
            }));
        }
        let value = self.text(&name).await?;
        Ok(Some(Part::Text { name, value }))
    }

    async fn text(&mut self, name: &str) -> Result<String> {
        self.texts += 1;
        if self.texts > MAX_TEXTS {
            return Err(self.unreadable("too many fields"));
        }
        let mut value = Vec::new();
        while let Some(piece) = self.piece().await {
            value.extend_from_slice(&piece?);
            if value.len() > MAX_TEXT_BYTES {
                let max = MAX_TEXT_BYTES;
                return Err(wrong_field(name, Problem::TooLong { max }));
            }
        }
        String::from_utf8(value).map_err(|_| self.unreadable("a field is not UTF-8"))
    }

    async fn piece(&mut self) -> Option<Result<Bytes>> {
        poll_fn(|cx| self.poll_piece(cx)).await
    }

    fn poll_piece(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Bytes>>> {
        let Some(part) = &mut self.part else {
            return Poll::Ready(None);
        };
        let piece = ready!(part.poll_next_unpin(cx));
        self.incoming.made_sense();
        Poll::Ready(piece.map(|piece| piece.map_err(|error| self.unreadable(&reason(&error)))))
    }

    /// Whether nothing more can be read.
    pub(crate) fn is_broken(&self) -> bool {
        self.broken
    }

    fn unreadable(&mut self, reason: &str) -> Error {
        self.broken = true;
        if self.incoming.too_large.load(Ordering::Relaxed) {
            return Error::new(ErrorCode::BodyTooLarge).with("max_bytes", self.incoming.max_bytes);
        }
        let reason: String = reason.chars().take(200).collect();
        Error::new(ErrorCode::InvalidMultipart).with("reason", reason)
    }

    /// Takes in what is left without looking at it, up to twice what may be sent: a client that is
    /// still sending when we close may never see the answer. One that asked first has not begun to
    /// send.
    pub(crate) async fn discard(mut self) {
        let taken = self.incoming.total.load(Ordering::Relaxed);
        if self.waits && taken == 0 {
            return;
        }
        self.part = None;
        self.parser = None;
        let mut left = self
            .incoming
            .max_bytes
            .saturating_mul(2)
            .saturating_sub(taken);
        while let Some(Ok(piece)) = poll_fn(|cx| self.incoming.poll_piece(cx)).await {
            match left.checked_sub(piece.len() as u64) {
                Some(less) => left = less,
                None => return,
            }
        }
    }
}

/// The content of the file that is being read.
pub(crate) struct FileBody<'a>(&'a mut Form);

impl<'a> FileBody<'a> {
    /// The form the file came in, to read what is after it.
    pub(crate) fn into_form(self) -> &'a mut Form {
        self.0
    }
}

impl Stream for FileBody<'_> {
    type Item = Result<Bytes>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_piece(cx)
    }
}

/// The body, and what has been read of it.
struct Incoming {
    body: Mutex<BodyDataStream>,
    max_bytes: u64,
    total: AtomicU64,
    /// What came since the parser last made sense of anything.
    unread: AtomicU64,
    too_large: AtomicBool,
}

impl Incoming {
    fn made_sense(&self) {
        self.unread.store(0, Ordering::Relaxed);
    }

    fn poll_piece(&self, cx: &mut Context<'_>) -> Poll<Option<Result<Bytes, axum::Error>>> {
        let mut body = self.body.lock().unwrap_or_else(PoisonError::into_inner);
        body.poll_next_unpin(cx)
    }

    /// The next piece, while there may be one.
    fn poll_counted(&self, cx: &mut Context<'_>) -> Poll<Option<Result<Bytes, Unreadable>>> {
        let piece = match ready!(self.poll_piece(cx)) {
            None => return Poll::Ready(None),
            Some(Ok(piece)) => piece,
            Some(Err(_)) => return Poll::Ready(Some(Err(Unreadable("the body ended early")))),
        };
        let length = piece.len() as u64;
        if self.total.fetch_add(length, Ordering::Relaxed) + length > self.max_bytes {
            self.too_large.store(true, Ordering::Relaxed);
            return Poll::Ready(Some(Err(Unreadable("the body is too large"))));
        }
        Poll::Ready(Some(Ok(piece)))
    }
}

/// Hands the body to the parser, one piece each time it asks: left alone, it takes in whatever
/// there is before it looks at any of it.
struct Pieces {
    incoming: Arc<Incoming>,
    pause: bool,
}

impl Stream for Pieces {
    type Item = Result<Bytes, Unreadable>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if std::mem::take(&mut self.pause) {
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        let piece = ready!(self.incoming.poll_counted(cx));
        if let Some(Ok(piece)) = &piece {
            self.pause = true;
            let length = piece.len() as u64;
            let unread = &self.incoming.unread;
            if unread.fetch_add(length, Ordering::Relaxed) > MAX_UNREAD {
                return Poll::Ready(Some(Err(Unreadable("the head of a part is too long"))));
            }
        }
        Poll::Ready(piece)
    }
}

#[derive(Debug)]
struct Unreadable(&'static str);

impl std::fmt::Display for Unreadable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for Unreadable {}

/// What is wrong with a field of a form.
pub(crate) fn wrong_field(name: &str, problem: Problem) -> Error {
    let mut checks = Checks::new();
    checks.problem(name, problem);
    let told = checks.finish().err();
    told.unwrap_or_else(|| Error::new(ErrorCode::ValidationFailed))
}

/// What went wrong, in the words of whoever noticed.
fn reason(error: &multer::Error) -> String {
    match error {
        multer::Error::StreamReadFailed(cause) => cause.to_string(),
        other => other.to_string(),
    }
}

fn header<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

fn shortened(name: &str) -> String {
    name.chars().take(MAX_NAME_CHARS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::Body;
    use futures::stream;

    const BOUNDARY: &str = "limite";

    /// A request whose body comes in pieces of this size.
    fn request(body: &[u8], pieces: usize) -> Request {
        let pieces: Vec<Bytes> = body.chunks(pieces).map(Bytes::copy_from_slice).collect();
        let body = stream::iter(pieces.into_iter().map(Ok::<_, std::io::Error>));
        Request::builder()
            .header(
                "content-type",
                format!("multipart/form-data; boundary={BOUNDARY}"),
            )
            .body(Body::from_stream(body))
            .unwrap()
    }

    fn part(head: &str, body: &[u8]) -> Vec<u8> {
        let mut part =
            format!("--{BOUNDARY}\r\ncontent-disposition: form-data; {head}\r\n\r\n").into_bytes();
        part.extend_from_slice(body);
        part.extend_from_slice(b"\r\n");
        part
    }

    fn end() -> Vec<u8> {
        format!("--{BOUNDARY}--\r\n").into_bytes()
    }

    async fn read(form: &mut Form) -> Result<Vec<(String, Vec<u8>)>> {
        let mut read = Vec::new();
        while let Some(part) = form.next().await? {
            match part {
                Part::Text { name, value } => read.push((name, value.into_bytes())),
                Part::File { name, mut body } => {
                    let mut bytes = Vec::new();
                    while let Some(piece) = body.next().await {
                        bytes.extend_from_slice(&piece?);
                    }
                    read.push((format!("file {name}"), bytes));
                }
            }
        }
        Ok(read)
    }

    #[tokio::test]
    async fn parts_are_the_same_however_they_are_cut() {
        let near_boundary = b"a\r\n--limit\r\n\r\n--\r\r\n--lim".to_vec();
        let body = [
            part("name=\"title\"", b"Carta"),
            part("name=\"file\"; filename=\"uno.txt\"", &near_boundary),
            part("name=\"otro\"; filename=\"dos.bin\"", &[0, 255, 13, 10]),
            part("name=\"files\"", b"sin nombre"),
            part("name=\"vacio\"; filename=\"\"", b""),
            end(),
        ]
        .concat();
        for pieces in [1, 2, 3, 7, 50, body.len()] {
            let mut form = Form::new(request(&body, pieces), 10_000);
            let expected: Vec<(String, Vec<u8>)> = vec![
                ("title".into(), b"Carta".to_vec()),
                ("file uno.txt".into(), near_boundary.clone()),
                ("file dos.bin".into(), vec![0, 255, 13, 10]),
                ("file ".into(), b"sin nombre".to_vec()),
                ("vacio".into(), Vec::new()),
            ];
            assert_eq!(read(&mut form).await.unwrap(), expected, "by {pieces}");
            assert!(!form.is_broken());
        }
    }

    #[tokio::test]
    async fn a_part_that_is_not_wanted_is_passed_over() {
        let body = [
            part("name=\"file\"; filename=\"uno\"", &vec![7; 1_000_000]),
            part("name=\"file\"; filename=\"dos\"", b"2"),
            end(),
        ]
        .concat();
        let mut form = Form::new(request(&body, 1000), 2_000_000);
        let mut names = Vec::new();
        while let Some(part) = form.next().await.unwrap() {
            if let Part::File { name, .. } = part {
                names.push(name);
            }
        }
        assert_eq!(names, ["uno", "dos"]);
    }

    #[tokio::test]
    async fn what_is_no_form_is_refused_without_being_kept() {
        let endless_head = [
            b"--limite\r\ncontent-disposition: ".to_vec(),
            vec![b'a'; 500_000],
        ]
        .concat();
        let endless_prologue = vec![b'-'; 500_000];
        let cut = part("name=\"file\"; filename=\"a\"", b"texto");
        for (what, body) in [
            ("nothing", Vec::new()),
            ("no boundary", b"hola".to_vec()),
            ("a head without end", endless_head),
            ("a prologue without end", endless_prologue),
            ("no last boundary", cut),
        ] {
            let mut form = Form::new(request(&body, 1000), 1_000_000);
            let error = read(&mut form).await.unwrap_err();
            assert_eq!(error.code(), ErrorCode::InvalidMultipart, "{what}");
            if what.ends_with("without end") {
                assert_eq!(error.details()["reason"], "the head of a part is too long");
            }
            assert!(form.is_broken(), "{what}");
            let taken = form.incoming.total.load(Ordering::Relaxed);
            assert!(taken <= MAX_UNREAD + 2000, "{what}: {taken}");
        }
    }

    #[tokio::test]
    async fn sizes_are_bounded() {
        let body = [part("name=\"file\"; filename=\"a\"", &vec![1; 5000]), end()].concat();
        let mut form = Form::new(request(&body, 100), 4000);
        let error = read(&mut form).await.unwrap_err();
        assert_eq!(error.code(), ErrorCode::BodyTooLarge);
        assert_eq!(error.details()["max_bytes"], 4000);

        let mut declared = request(&body, 100);
        declared.headers_mut().insert(CONTENT_LENGTH, 4001.into());
        let mut form = Form::new(declared, 4000);
        assert_eq!(
            form.next().await.err().unwrap().code(),
            ErrorCode::BodyTooLarge
        );
        assert_eq!(form.incoming.total.load(Ordering::Relaxed), 0);

        let body = [
            part("name=\"title\"", &vec![b'a'; MAX_TEXT_BYTES + 1]),
            end(),
        ]
        .concat();
        let mut form = Form::new(request(&body, 1000), 1_000_000);
        let error = read(&mut form).await.unwrap_err();
        assert_eq!(error.code(), ErrorCode::ValidationFailed);
    }
}
