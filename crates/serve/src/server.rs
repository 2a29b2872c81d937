//! The server as the SDK wants it.

use std::sync::Arc;
use std::time::Duration;

use rmcp::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorData, Implementation, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::{NotificationContext, Peer, RequestContext, RoleServer};
use strata_engine::{Roots, Settings, Structured};
use strata_tools::find;
use tokio::sync::watch;

use crate::ServeOptions;
use crate::calls::{self, ProgressSink};
use crate::client_roots::folder_of;
use crate::listing::{self, Profile};

/// How long a client may take to name its folders.
const ROOTS_PATIENCE: Duration = Duration::from_secs(3);

/// What a client's model reads before the first call.
const INSTRUCTIONS: &str = "Stratigraph answers questions about the structure of this repository from an index that is \
    kept up to date: what is defined where, who calls it, what it calls. Ask it before you grep or read whole files. \
    Start a task with get_context; look a name up with codebase_search or symbol_detail; find callers with \
    code_intelligence (findCallers); read code with symbol_source. Names may be given in short: `create`, \
    `UserService.create`, `src/a.py:12`. An ambiguous name is answered with the candidates. Every answer says which \
    commit and files it rests on; `next_cursor` continues a long one.";

pub(crate) struct Server {
    roots: Arc<Roots>,
    profile: Profile,
    version: &'static str,
    /// True once it is known which folder is meant.
    is_settled: watch::Sender<bool>,
}

impl Server {
    pub(crate) fn new(roots: Arc<Roots>, options: &ServeOptions) -> Self {
        Self {
            roots,
            profile: options.profile,
            version: options.version,
            is_settled: watch::Sender::new(true),
        }
    }

    /// Settings of the folder that is meant, or the default ones while it cannot be used.
    fn with_settings<T>(&self, read: impl FnOnce(&Settings) -> T) -> T {
        match self.roots.engine(None) {
            Ok(engine) => read(engine.settings()),
            Err(_) => read(&Settings::default()),
        }
    }

    /// Waits until it is known which folder is meant.
    async fn settle(&self) {
        let mut is_settled = self.is_settled.subscribe();
        let settled = is_settled.wait_for(|is_settled| *is_settled);
        if tokio::time::timeout(ROOTS_PATIENCE, settled).await.is_err() {
            self.is_settled.send_replace(true);
        }
    }

    /// Starts indexing in the background, unless that is switched off or the folder cannot be used: then the first
    /// question says so.
    fn warm_up(&self) {
        let roots = Arc::clone(&self.roots);
        tokio::task::spawn_blocking(move || {
            if let Ok(engine) = roots.engine(None)
                && engine.settings().gates.auto_index
            {
                engine.start_refresh();
            }
        });
    }

    /// Asks the client for its folders, if it has any to name and nothing of higher rank does.
    #[expect(
        deprecated,
        reason = "clients of the older protocol name their folders in no other way"
    )]
    async fn ask_for_roots(&self, peer: &Peer<RoleServer>) {
        #[expect(
            deprecated,
            reason = "clients of the older protocol name their folders in no other way"
        )]
        let answer = tokio::time::timeout(ROOTS_PATIENCE, peer.list_roots()).await;
        match answer {
            Ok(Ok(list)) => {
                let folders = list.roots.iter().filter_map(|root| folder_of(&root.uri)).collect();
                self.roots.set_client_roots(folders);
            }
            Ok(Err(error)) => tracing::debug!(%error, "the client did not name its folders"),
            Err(_) => tracing::debug!("the client did not name its folders in time"),
        }
    }
}

/// True when the client of the session says that it has folders to name.
fn has_roots(peer: &Peer<RoleServer>) -> bool {
    peer.peer_info().is_some_and(|info| info.capabilities.roots.is_some())
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().build();
        let implementation = Implementation::new("stratigraph", self.version).with_title("Stratigraph");
        ServerConfig::new(capabilities)
            .with_server_info(implementation)
            .with_instructions(INSTRUCTIONS)
    }

    async fn initialize(
        &self,
        request: rmcp::model::InitializeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<rmcp::model::InitializeResult, ErrorData> {
        let asks = request.capabilities.roots.is_some() && !self.roots.is_root_named();
        self.is_settled.send_replace(!asks);
        context.peer.set_peer_info(request.clone());
        self.negotiate_initialize(&request)
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        if has_roots(&context.peer) && !self.roots.is_root_named() {
            self.ask_for_roots(&context.peer).await;
        }
        self.is_settled.send_replace(true);
        self.warm_up();
    }

    async fn on_roots_list_changed(&self, context: NotificationContext<RoleServer>) {
        if !self.roots.is_root_named() {
            self.ask_for_roots(&context.peer).await;
        }
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tools: Vec<Tool> = self.with_settings(|settings| listing::list(self.profile, settings));
        // A session without a handshake begins here.
        if *self.is_settled.borrow() {
            self.warm_up();
        }
        Ok(ListToolsResult::with_all_items(tools))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(tool) = find(&request.name).filter(|tool| tool.name == request.name) else {
            let names: Vec<&str> = strata_tools::ALL.iter().map(|tool| tool.name).collect();
            let message = format!("there is no tool `{}`; there are {}", request.name, names.join(", "));
            return Err(ErrorData::invalid_params(message, None));
        };
        self.settle().await;
        let (is_open, structured) =
            self.with_settings(|settings| (listing::is_open(tool, settings), settings.structured));
        if !is_open {
            let message = format!("{} is switched off by the settings of this root", tool.name);
            return Ok(CallToolResult::error(vec![ContentBlock::text(message)]).into());
        }
        let token = context.meta.get_progress_token();
        let progress = token.map(|token| ProgressSink {
            peer: context.peer.clone(),
            token,
        });
        let arguments = request.arguments.unwrap_or_default();
        let cancelled = async { context.ct.cancelled().await };
        let answer = calls::run(tool, Arc::clone(&self.roots), arguments, progress, cancelled).await;
        let result = match answer {
            Ok(answer) => calls::to_result(answer, structured),
            Err(fault) => {
                tracing::error!(tool = tool.name, %fault, "a call ended on an internal fault");
                let message = format!(
                    "backend_failed: an internal fault in {}: {fault}; other calls still work",
                    tool.name
                );
                let mut result = CallToolResult::error(vec![ContentBlock::text(message.clone())]);
                if structured != Structured::Off {
                    result.structured_content =
                        Some(serde_json::json!({ "code": "backend_failed", "message": message }));
                }
                result
            }
        };
        Ok(result.into())
    }
}
