//! A connection whose other side has to take what it is sent.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep};

/// A stream that fails when nothing that was written has been taken for a while. Otherwise whoever
/// asks and never reads holds the answers, and what they were made of, for as long as they like.
pub(super) struct Progress {
    stream: TcpStream,
    patience: Duration,
    /// Set while the other side takes nothing.
    waiting: Option<Pin<Box<Sleep>>>,
}

impl Progress {
    pub(super) fn new(stream: TcpStream, patience: Duration) -> Self {
        Self {
            stream,
            patience,
            waiting: None,
        }
    }

    /// Passes on what came of writing, unless nothing comes of it for too long.
    fn watch<T>(
        &mut self,
        written: Poll<io::Result<T>>,
        context: &mut Context<'_>,
    ) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.waiting = None;
            return written;
        }
        let until = Instant::now() + self.patience;
        let waiting = self
            .waiting
            .get_or_insert_with(|| Box::pin(tokio::time::sleep_until(until)));
        match waiting.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl AsyncRead for Progress {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Progress {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.watch(written, context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, pieces);
        self.watch(written, context)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.stream).poll_flush(context);
        self.watch(flushed, context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let shut = Pin::new(&mut self.stream).poll_shutdown(context);
        self.watch(shut, context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::TcpListener;

    async fn connected() -> (TcpStream, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (ours, theirs) = tokio::join!(listener.accept(), TcpStream::connect(address));
        (ours.unwrap().0, theirs.unwrap())
    }

    #[tokio::test]
    async fn who_takes_nothing_is_given_up() {
        let (ours, _theirs) = connected().await;
        let mut ours = Progress::new(ours, Duration::from_millis(200));
        let piece = vec![7; 1 << 16];
        let writing = async {
            loop {
                if let Err(error) = ours.write_all(&piece).await {
                    break error;
                }
            }
        };
        let failed = tokio::time::timeout(Duration::from_secs(20), writing).await;
        let failed = failed.expect("it was waited for without end");
        assert_eq!(failed.kind(), io::ErrorKind::TimedOut);
    }

    #[tokio::test]
    async fn who_takes_a_little_at_a_time_is_waited_for() {
        let (ours, mut theirs) = connected().await;
        let mut ours = Progress::new(ours, Duration::from_millis(500));
        let reading = tokio::spawn(async move {
            let mut piece = vec![0; 1 << 19];
            let mut read = 0;
            while read < 16 << 20 {
                tokio::time::sleep(Duration::from_millis(20)).await;
                read += theirs.read(&mut piece).await.unwrap();
            }
        });
        ours.write_all(&vec![7; 16 << 20]).await.unwrap();
        reading.await.unwrap();
    }
}
