//! Rehearsals: conversations played again with an agent, without effects, before it is published.

mod gate;
mod job;
mod play;
mod results;
mod runs;
mod scripts;

pub(crate) use gate::{may_change, may_publish};
pub(crate) use job::{REHEARSE, follow, rehearse};
pub use results::{JudgeResult, judge, list as list_results};
pub use runs::{StartRehearsal, delete, get, list, start, stop};
pub use scripts::{
    SaveScript, ScriptFromConversation, create as create_script, delete as delete_script,
    from_conversation, get as get_script, list as list_scripts, update as update_script,
};
