use super::form::{Form, Part, wrong_field};
use bytes::Bytes;
use futures::stream::BoxStream;
use futures::{StreamExt, stream};
use quipu_core::validate::Problem;
use quipu_core::{Error, ErrorCode, Result};
use tokio::sync::mpsc;

/// Hands on the file of a form that has exactly one. The form is read to its end before the file
/// counts, so that one with two files changes nothing: whoever takes the file meets an error.
///
/// # Errors
/// What is wrong with the form, or what `take` answers.
pub(crate) async fn one_file<T, F>(
    form: &mut Form,
    take: impl FnOnce(String, BoxStream<'static, Result<Bytes>>) -> F,
) -> Result<T>
where
    F: Future<Output = Result<T>> + Send,
{
    let (to_storage, pieces) = mpsc::channel(1);
    let pieces = stream::unfold(pieces, async |mut pieces: mpsc::Receiver<_>| {
        Some((pieces.recv().await?, pieces))
    });
    let (name, mut body) = match form.next().await? {
        Some(Part::File { name, body }) => (name, body),
        Some(Part::Text { name, .. }) => return Err(only_a_file(&name)),
        None => return Err(Error::new(ErrorCode::InvalidMultipart)),
    };
    let read = async {
        while let Some(piece) = body.next().await {
            // Nobody listens any more when the file was refused; its refusal is the answer.
            if to_storage.send(piece).await.is_err() {
                return;
            }
        }
        let more = match body.into_form().next().await {
            Ok(None) => None,
            Ok(Some(Part::Text { name, .. })) => Some(only_a_file(&name)),
            Ok(Some(Part::File { .. })) => {
                Some(wrong_field("file", Problem::Range { min: 1, max: 1 }))
            }
            Err(error) => Some(error),
        };
        if let Some(error) = more {
            drop(to_storage.send(Err::<Bytes, Error>(error)).await);
        }
        drop(to_storage);
    };
    // Handed over whole: when the file is refused, the channel closes and the reading ends.
    let pieces = pieces.boxed();
    let (taken, ()) = tokio::join!(take(name, pieces), read);
    taken
}

fn only_a_file(field: &str) -> Error {
    let allowed = "file".to_owned();
    wrong_field(field, Problem::Unknown { allowed })
}
