//! Serves the tools to agents: MCP over standard input and output.
//!
//! The protocol, in its older and its newer form, is the SDK's business. What is ours: which tools are listed, that the
//! first reply comes before any indexing, that each call runs on a thread of its own with its panics contained, and that
//! standard output carries nothing but the protocol.

mod calls;
mod client_roots;
mod listing;
mod server;

use std::sync::Arc;

use rmcp::ServiceExt;
use rmcp::transport::stdio;
use strata_engine::Roots;
use thiserror::Error;

pub use listing::{Profile, UnknownProfile};
use server::Server;

/// How to serve.
#[derive(Clone, Debug)]
pub struct ServeOptions {
    /// Which tools are listed.
    pub profile: Profile,
    /// Version of the product.
    pub version: &'static str,
}

/// Why a server ended.
#[derive(Debug, Error)]
pub enum ServeError {
    /// The threads could not be started.
    #[error("cannot start the server")]
    Start(#[source] std::io::Error),
    /// The client broke the protocol before it began.
    #[error("the client did not open the session: {0}")]
    Open(String),
    /// The session ended on an internal fault.
    #[error("the session ended on a fault: {0}")]
    Session(String),
}

/// Serves over standard input and output until the input ends.
pub fn serve_stdio(roots: Arc<Roots>, options: &ServeOptions) -> Result<(), ServeError> {
    // One thread is enough for the protocol; calls run on threads for blocking work.
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .max_blocking_threads(MAX_CALLS)
        .build()
        .map_err(ServeError::Start)?;
    let result = runtime.block_on(async {
        let session = match Server::new(roots, options).serve(stdio()).await {
            Ok(session) => session,
            // A client that leaves before it said anything did nothing wrong.
            Err(rmcp::service::ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
            Err(error) => return Err(ServeError::Open(error.to_string())),
        };
        session
            .waiting()
            .await
            .map(|_| ())
            .map_err(|error| ServeError::Session(error.to_string()))
    });
    // A call that is still running must not keep a process without a client alive.
    runtime.shutdown_background();
    result
}

/// Most calls at a time; further ones wait.
const MAX_CALLS: usize = 16;
