//! What a database error means to whoever asked.

use quipu_core::{Error, ErrorCode};
use sea_orm::{DbErr, RuntimeErr, SqlErr, sqlx};

/// Turns a database error into one of ours. Constraint violations that a caller expects are
/// caught before this with [`violates`]; one that arrives here is a defect.
pub(crate) fn db(error: DbErr) -> Error {
    Error::new(classify(&error)).caused_by(error)
}

/// The same for what was asked without the mapper.
pub(crate) fn sqlx(error: sqlx::Error) -> Error {
    Error::new(classify_sqlx(&error)).caused_by(error)
}

/// Whether the error is a violation of the named unique constraint.
///
/// PostgreSQL names the constraint; SQLite lists the columns instead, so both are given.
pub(crate) fn violates(error: &DbErr, constraint: &str, sqlite_columns: &str) -> bool {
    matches!(error.sql_err(), Some(SqlErr::UniqueConstraintViolation(message))
        if message.contains(constraint) || message.contains(sqlite_columns))
}

fn classify(error: &DbErr) -> ErrorCode {
    match error {
        DbErr::ConnectionAcquire(_) => ErrorCode::Busy,
        DbErr::Conn(_) => ErrorCode::DatabaseUnavailable,
        DbErr::Exec(RuntimeErr::SqlxError(e)) | DbErr::Query(RuntimeErr::SqlxError(e)) => {
            classify_sqlx(e)
        }
        _ => ErrorCode::Internal,
    }
}

fn classify_sqlx(error: &sqlx::Error) -> ErrorCode {
    match error {
        sqlx::Error::Io(_)
        | sqlx::Error::Tls(_)
        | sqlx::Error::Protocol(_)
        | sqlx::Error::PoolClosed
        | sqlx::Error::WorkerCrashed => ErrorCode::DatabaseUnavailable,
        sqlx::Error::PoolTimedOut => ErrorCode::Busy,
        sqlx::Error::Database(e) => {
            let code = e.code().unwrap_or_default();
            if e.try_downcast_ref::<sqlx::postgres::PgDatabaseError>()
                .is_some()
            {
                classify_postgres(&code)
            } else {
                classify_sqlite(code.parse().unwrap_or(0))
            }
        }
        _ => ErrorCode::Internal,
    }
}

fn classify_postgres(code: &str) -> ErrorCode {
    match code {
        // disk_full
        "53100" => ErrorCode::StorageFull,
        // serialization_failure, deadlock_detected, lock_not_available, too_many_connections
        "40001" | "40P01" | "55P03" | "53300" => ErrorCode::Busy,
        // query_canceled, by the statement timeout
        "57014" => ErrorCode::Timeout,
        // admin_shutdown, crash_shutdown, cannot_connect_now, database_dropped; read-only standby;
        // the database refuses connections
        "57P01" | "57P02" | "57P03" | "57P04" | "25006" | "55000" => ErrorCode::DatabaseUnavailable,
        other if other.starts_with("08") => ErrorCode::DatabaseUnavailable,
        _ => ErrorCode::Internal,
    }
}

fn classify_sqlite(code: i32) -> ErrorCode {
    // The low byte is the primary result code.
    match code & 0xff {
        // SQLITE_FULL
        13 => ErrorCode::StorageFull,
        // SQLITE_BUSY, SQLITE_LOCKED
        5 | 6 => ErrorCode::Busy,
        // SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_READONLY
        10 | 14 | 8 => ErrorCode::DatabaseUnavailable,
        _ => ErrorCode::Internal,
    }
}
