//! The table of codes.
//!
//! A code is a promise to programs: it never changes its meaning. The messages are for people,
//! in Spanish and English, and say what to do next. `{name}` is filled from the details.

use crate::language::Language;
use std::fmt;

macro_rules! error_codes {
    ($($(#[$doc:meta])* $variant:ident = $code:literal, $status:literal, $es:literal, $en:literal;)+) => {
        /// Every code the API can answer with.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum ErrorCode {
            $($(#[$doc])* $variant,)+
        }

        impl ErrorCode {
            pub const ALL: &[Self] = &[$(Self::$variant,)+];

            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $code,)+ }
            }

            /// The HTTP status the code travels with.
            #[must_use]
            pub const fn status(self) -> u16 {
                match self { $(Self::$variant => $status,)+ }
            }

            pub(super) const fn template(self, language: Language) -> &'static str {
                match (self, language) {
                    $((Self::$variant, Language::Es) => $es,
                    (Self::$variant, Language::En) => $en,)+
                }
            }
        }
    };
}

error_codes! {
    // What was sent cannot be read.
    InvalidJson = "INVALID_JSON", 400,
        "El cuerpo no es JSON válido para esta operación: {reason}.",
        "The body is not valid JSON for this operation: {reason}.";
    InvalidCsv = "INVALID_CSV", 400,
        "El archivo no es una tabla CSV con una fila de encabezados y la columna del nombre.",
        "The file is not a CSV table with a row of headings and the column of the name.";
    InvalidParameter = "INVALID_PARAMETER", 400,
        "Un parámetro de la ruta o de la consulta no es válido: {reason}.",
        "A path or query parameter is not valid: {reason}.";
    InvalidHeader = "INVALID_HEADER", 400,
        "La cabecera {header} no es válida.",
        "The header {header} is not valid.";
    InvalidCursor = "INVALID_CURSOR", 400,
        "El cursor no es válido: usa el next_cursor de la página anterior.",
        "The cursor is not valid: use next_cursor of the previous page.";
    ValidationFailed = "VALIDATION_FAILED", 422,
        "Hay datos que corregir: {problems}.",
        "Some data needs correcting: {problems}.";
    BodyTooLarge = "BODY_TOO_LARGE", 413,
        "El cuerpo supera el máximo de {max_bytes} bytes.",
        "The body exceeds the maximum of {max_bytes} bytes.";
    UnsupportedMediaType = "UNSUPPORTED_MEDIA_TYPE", 415,
        "Envía el cuerpo con Content-Type: application/json y sin comprimir.",
        "Send the body with Content-Type: application/json, and not compressed.";

    InvalidMultipart = "INVALID_MULTIPART", 400,
        "El cuerpo no es un formulario multipart/form-data válido con al menos un archivo en el campo file.",
        "The body is not a valid multipart/form-data form with at least one file in the field file.";
    FileTooLarge = "FILE_TOO_LARGE", 413,
        "El archivo {filename} supera el máximo de {max_bytes} bytes para su tipo.",
        "The file {filename} exceeds the maximum of {max_bytes} bytes for its type.";
    FormatNotSupported = "FORMAT_NOT_SUPPORTED", 415,
        "El archivo {filename} no es de un tipo admitido: PDF, Word, Excel, PowerPoint, texto, Markdown, HTML, CSV o JSON.",
        "The file {filename} is not of a supported type: PDF, Word, Excel, PowerPoint, text, Markdown, HTML, CSV or JSON.";
    AttachmentNotSupported = "ATTACHMENT_NOT_SUPPORTED", 415,
        "El archivo {filename} no es un adjunto admitido: PDF, PNG, JPEG o WEBP.",
        "The file {filename} is not an attachment that is taken: PDF, PNG, JPEG or WEBP.";
    ChannelUnsigned = "CHANNEL_UNSIGNED", 401,
        "La entrega no está firmada por el canal: revisa el secreto de la aplicación o el token de verificación.",
        "The delivery is not signed by the channel: check the app secret or the verify token.";
    ChannelWindowClosed = "CHANNEL_WINDOW_CLOSED", 409,
        "El cliente escribió hace más de lo que el canal permite. Envía una plantilla aprobada, o espera a que escriba.",
        "The customer wrote longer ago than the channel allows. Send an approved template, or wait until they write.";
    ChannelNotConnected = "CHANNEL_NOT_CONNECTED", 409,
        "Esta conversación no va por un canal conectado.",
        "This conversation is not held through a connected channel.";
    ChannelRefused = "CHANNEL_REFUSED", 502,
        "El canal no lo aceptó: {reason}.",
        "The channel did not take it: {reason}.";
    AttachmentMislabelled = "ATTACHMENT_MISLABELLED", 415,
        "El archivo {filename} dice ser {said} y es {found}. Envíalo con el nombre que le corresponde.",
        "The file {filename} says that it is {said} and is {found}. Send it under a name that fits.";
    DocumentEmpty = "DOCUMENT_EMPTY", 422,
        "El archivo {filename} está vacío.",
        "The file {filename} is empty.";

    // Who is asking.
    Unauthenticated = "UNAUTHENTICATED", 401,
        "Falta la credencial, o no es válida, o ha caducado. Inicia sesión o envía una clave de API.",
        "The credential is missing, not valid or expired. Sign in or send an API key.";
    BadCredentials = "BAD_CREDENTIALS", 401,
        "El correo o la contraseña no son correctos.",
        "The e-mail or the password is not correct.";
    TooManyFailures = "TOO_MANY_FAILURES", 429,
        "Demasiados intentos fallidos. Vuelve a intentarlo en {retry_after_seconds} segundos.",
        "Too many failed attempts. Try again in {retry_after_seconds} seconds.";
    InvalidResetToken = "INVALID_RESET_TOKEN", 400,
        "El código de un solo uso no es válido, ya se usó o ha caducado. Pide otro.",
        "The one-time token is not valid, was used already or has expired. Ask for another.";
    CrossSiteRequest = "CROSS_SITE_REQUEST", 403,
        "La petición viene de otro sitio y se ha rechazado.",
        "The request comes from another site and was refused.";
    OriginNotAllowed = "ORIGIN_NOT_ALLOWED", 403,
        "Este sitio no puede mostrar el chat: falta entre los sitios permitidos de su conexión.",
        "This site may not show the chat: it is not among the allowed sites of its connection.";
    Forbidden = "FORBIDDEN", 403,
        "Te falta el permiso {permission} en este tenant.",
        "You lack the permission {permission} in this tenant.";
    SuperAdminOnly = "SUPER_ADMIN_ONLY", 403,
        "Solo un super_admin de la plataforma puede hacer esto.",
        "Only a super_admin of the platform can do this.";
    PasswordChangeRequired = "PASSWORD_CHANGE_REQUIRED", 403,
        "La contraseña es de un solo uso. Cámbiala antes en POST /api/v1/auth/password.",
        "The password was for one use. Change it first with POST /api/v1/auth/password.";
    EmailUnavailable = "EMAIL_UNAVAILABLE", 409,
        "Esa dirección ya tiene cuenta; solo un super_admin de la plataforma puede añadirla.",
        "That address has an account already; only a super_admin of the platform can add it.";
    MemberElsewhere = "MEMBER_ELSEWHERE", 409,
        "La cuenta de esa persona abre más que este tenant; solo un super_admin puede restablecer su contraseña.",
        "That person's account opens more than this tenant; only a super_admin can reset its password.";
    TenantRequired = "TENANT_REQUIRED", 400,
        "Indica el tenant en la cabecera X-Quipu-Tenant (id o slug).",
        "Name the tenant in the X-Quipu-Tenant header (id or slug).";
    TenantSuspended = "TENANT_SUSPENDED", 403,
        "El tenant está suspendido. Habla con quien administra la plataforma.",
        "The tenant is suspended. Talk to whoever runs the platform.";
    PersonRequired = "PERSON_REQUIRED", 403,
        "Esta operación es para personas que han iniciado sesión, no para claves de API.",
        "This operation is for people who have signed in, not for API keys.";

    // What is asked for.
    NotFound = "NOT_FOUND", 404,
        "No existe, o no es tuyo: {resource_name}.",
        "It does not exist, or is not yours: {resource_name}.";
    RouteNotFound = "ROUTE_NOT_FOUND", 404,
        "Esta ruta no existe. La lista está en /docs.",
        "There is no such route. The list is at /docs.";
    MethodNotAllowed = "METHOD_NOT_ALLOWED", 405,
        "Esta ruta no admite ese método.",
        "This route does not take that method.";
    AlreadyExists = "ALREADY_EXISTS", 409,
        "Ya está en uso: {field_name} ({resource_name}).",
        "Already taken: {field_name} ({resource_name}).";
    DuplicateDocument = "DUPLICATE_DOCUMENT", 409,
        "Ese contenido ya está en la base de conocimiento, en el documento {document_id}.",
        "That content is already in the knowledge base, in document {document_id}.";
    KnowledgeBaseArchived = "KNOWLEDGE_BASE_ARCHIVED", 409,
        "La base de conocimiento está archivada. Actívala antes de buscar en ella o cambiar lo que contiene.",
        "The knowledge base is archived. Activate it before searching it or changing what is in it.";
    KnowledgeBaseManaged = "KNOWLEDGE_BASE_MANAGED", 409,
        "Esta base de conocimiento la mantiene el propio producto; esta operación no se admite en ella.",
        "This knowledge base is kept by the product itself; it does not take this operation.";
    PersonalCorpusNotAllowed = "PERSONAL_CORPUS_NOT_ALLOWED", 409,
        "El agente no admite bases de conocimiento personales.",
        "The agent does not allow personal knowledge bases.";
    DocumentState = "DOCUMENT_STATE", 409,
        "El documento no está en un estado que admita esta operación.",
        "The document is not in a state that allows this operation.";
    WebsiteState = "WEBSITE_STATE", 409,
        "El sitio no se está leyendo: no hay nada que detener.",
        "The website is not being read: there is nothing to stop.";
    WebsiteUnreadable = "WEBSITE_UNREADABLE", 422,
        "El sitio no se puede leer. {why}",
        "The website cannot be read. {why}";
    LastAdmin = "LAST_ADMIN", 409,
        "Es la última persona con rol admin; nombra antes a otra.",
        "This is the last person with the admin role; appoint another one first.";
    NotYourself = "NOT_YOURSELF", 409,
        "No puedes hacer esto sobre tu propia cuenta.",
        "You cannot do this to your own account.";
    AgentDisabled = "AGENT_DISABLED", 409,
        "El agente está desactivado y no responde.",
        "The agent is disabled and does not answer.";
    ToolDisabled = "TOOL_DISABLED", 409,
        "El agente tiene desactivada esa herramienta. Actívala en su configuración o deja que atienda una persona.",
        "The agent has that tool switched off. Switch it on in its settings, or let a person attend.";
    DraftChanged = "DRAFT_CHANGED", 409,
        "El borrador cambió mientras tanto. Vuelve a abrirlo y mira qué cambió antes de seguir.",
        "The draft has changed meanwhile. Open it again and look at what changed before you go on.";
    LiveChanged = "LIVE_CHANGED", 409,
        "Lo publicado cambió después de empezar el borrador: era la versión {based_on} y ahora es la {live_version}. Revisa las diferencias y, si aun así lo quieres, publica con force.",
        "What is live has changed since the draft was begun: it was version {based_on} and is {live_version} now. Look at the differences and, if you still want it, publish with force.";
    JobState = "JOB_STATE", 409,
        "La tarea está {status_name} y no admite esta operación.",
        "The job is {status_name} and does not allow this operation.";
    PlanInUse = "PLAN_IN_USE", 409,
        "El plan tiene tenants que lo usan.",
        "The plan is in use by tenants.";
    IdempotencyMismatch = "IDEMPOTENCY_MISMATCH", 409,
        "Esa Idempotency-Key ya se usó con otra petición.",
        "That Idempotency-Key was used with another request.";

    // What a business does with its customers.
    SlotUnavailable = "SLOT_UNAVAILABLE", 409,
        "No se puede reservar: {reason_text}.",
        "It cannot be booked: {reason_text}.";
    AppointmentState = "APPOINTMENT_STATE", 409,
        "La cita está {status_name} y no admite esta operación.",
        "The appointment is {status_name} and does not allow this operation.";
    AppointmentNotStarted = "APPOINTMENT_NOT_STARTED", 409,
        "La cita es el {when}: hasta entonces no se puede dar por hecha ni por perdida.",
        "The appointment is on {when}: until then it can be neither completed nor missed.";
    ServiceRequired = "SERVICE_REQUIRED", 422,
        "Hay varios servicios que se reservan: indica cuál ({names}).",
        "Several services can be booked: say which ({names}).";
    OrderState = "ORDER_STATE", 409,
        "El pedido está {status_name} y no admite esta operación.",
        "The order is {status_name} and does not allow this operation.";
    OrderUnclear = "ORDER_UNCLEAR", 422,
        "Falta aclarar el pedido: {question}",
        "The order has to be made clear: {question}";
    OrderRefused = "ORDER_REFUSED", 409,
        "No se puede tomar el pedido: {reason_text}.",
        "The order cannot be taken: {reason_text}.";
    HandoffState = "HANDOFF_STATE", 409,
        "La conversación no está en un estado que admita este cambio.",
        "The conversation is not in a state that allows this change.";
    AnsweredMeanwhile = "ANSWERED_MEANWHILE", 409,
        "La respuesta llega tarde: el agente ya contestó a ese mensaje.",
        "The answer is too late: the agent has answered that message already.";
    N8nSecretRequired = "N8N_SECRET_REQUIRED", 409,
        "Guarda antes el secreto n8n_shared_secret: n8n se identifica con él.",
        "Store the secret n8n_shared_secret first: n8n says with it who it is.";
    LoyaltyInactive = "LOYALTY_INACTIVE", 409,
        "El negocio no tiene un programa de lealtad activo.",
        "The business has no active loyalty programme.";
    TokensInsufficient = "TOKENS_INSUFFICIENT", 409,
        "No alcanza: el saldo disponible es {balance} y faltan {missing}.",
        "That is not enough: {balance} can be spent, and {missing} more are needed.";
    RedemptionState = "REDEMPTION_STATE", 409,
        "El código ya se usó, se anuló o caducó.",
        "The code was used, taken back or has expired.";
    AlreadyAwarded = "ALREADY_AWARDED", 409,
        "Esa compra o cita ya dio sus puntos.",
        "That purchase or appointment has earned its points already.";
    InvoiceState = "INVOICE_STATE", 409,
        "La solicitud de factura ya está resuelta.",
        "The invoice request has been dealt with already.";
    DuplicateInvoice = "DUPLICATE_INVOICE", 409,
        "Ya hay una solicitud de factura con el folio {folio}.",
        "There is an invoice request with the folio {folio} already.";
    InUse = "IN_USE", 409,
        "Tiene {appointments} por delante: desactiva en lugar de eliminar, o cambia primero lo reservado.",
        "It has {appointments} ahead: deactivate it instead of deleting it, or move what is booked first.";
    CurrencyInUse = "CURRENCY_IN_USE", 409,
        "Hay precios en otra moneda; elimínalos antes de cambiarla.",
        "There are prices in another currency; delete them before changing it.";
    ImportStopped = "IMPORT_STOPPED", 503,
        "La importación se detuvo en la línea {line} y quedaron guardadas {saved_rows}. Importa el mismo archivo otra vez: lo guardado no se repite.",
        "The import stopped at line {line} after saving {saved_rows}. Import the same file again: what was saved is not repeated.";
    TooManyItems = "TOO_MANY_ITEMS", 409,
        "Se admiten como máximo {value}.",
        "At most {value} are taken.";

    PromptFull = "PROMPT_FULL", 409,
        "En el prompt caben {limit} instrucciones y ya hay {count}, con {tokens} tokens. Saca una antes.",
        "The prompt has room for {limit} instructions, and there are {count} with {tokens} tokens. Take one out first.";
    PromptTokensExceeded = "PROMPT_TOKENS_EXCEEDED", 409,
        "Las instrucciones del prompt tienen {limit} tokens entre todas: las otras {count} usan {tokens} y esta necesita {needed}. Acórtala o saca otra.",
        "The instructions in the prompt have {limit} tokens together: the other {count} take {tokens}, and this one needs {needed}. Shorten it or take another one out.";
    LearnedAnswerState = "LEARNED_ANSWER_STATE", 409,
        "La propuesta ya está decidida.",
        "The proposal has been decided already.";

    RehearsalRunning = "REHEARSAL_RUNNING", 409,
        "El agente tiene un ensayo en curso. Espera a que termine o detenlo.",
        "The agent has a rehearsal under way. Wait for its end or stop it.";
    RehearsalEmpty = "REHEARSAL_EMPTY", 422,
        "No hay nada que ensayar: escribe un guion o elige un periodo en el que el agente haya conversado.",
        "There is nothing to rehearse: write a script, or choose a period in which the agent talked to somebody.";
    RehearsalRequired = "REHEARSAL_REQUIRED", 409,
        "El agente se ensaya antes de publicarse, y así no se ha ensayado. Guarda el cambio como borrador, ensáyalo y publícalo.",
        "The agent is rehearsed before it is published, and like this it was not. Save the change as a draft, rehearse it and publish it.";
    RehearsalFailed = "REHEARSAL_FAILED", 409,
        "En el último ensayo de este borrador, {value} respuestas no cumplen lo esperado. Corrige el borrador o los guiones y ensaya de nuevo.",
        "In the last rehearsal of this draft, {value} answers are not as expected. Correct the draft or the scripts and rehearse again.";

    ResponseNotKept = "RESPONSE_NOT_KEPT", 422,
        "Las respuestas no se guardan por su identificador: envía la conversación en input, o di en user de quién es para que el agente la recuerde.",
        "Responses are not kept under their id: send the conversation as input, or say in user whose it is, so that the agent remembers it.";

    // What a tool answers.
    UnknownTool = "UNKNOWN_TOOL", 404,
        "No existe esa herramienta para este agente.",
        "This agent has no such tool.";
    UnknownMethod = "UNKNOWN_METHOD", 404,
        "Este servidor no conoce el método {method}.",
        "This server does not know the method {method}.";
    InvalidArguments = "INVALID_ARGUMENTS", 422,
        "Los argumentos no son válidos: {problems}.",
        "The arguments are not valid: {problems}.";
    LeadRequired = "LEAD_REQUIRED", 422,
        "Hace falta saber de qué cliente se trata: indica lead_id o conversation_id.",
        "It has to be known which customer is meant: give lead_id or conversation_id.";
    ConversationRequired = "CONVERSATION_REQUIRED", 422,
        "Hace falta saber en qué conversación: indica conversation_id.",
        "It has to be known in which conversation: give conversation_id.";
    ReceiptUnreadable = "RECEIPT_UNREADABLE", 422,
        "No se pudo leer el ticket ({failure}). Pide una foto más nítida o los datos.",
        "The ticket could not be read ({failure}). Ask for a sharper picture, or for the data.";
    ToolLimitReached = "TOOL_LIMIT_REACHED", 429,
        "Ya se hicieron {value} cambios para este cliente en la última hora; que siga una persona.",
        "{value} changes were made for this customer within the hour; a person should go on.";

    // What the plan allows.
    CreditsExhausted = "CREDITS_EXHAUSTED", 402,
        "No hay créditos suficientes: se necesitan {needed} y quedan {balance} (plan {plan}).",
        "Not enough credits: {needed} needed, {balance} left (plan {plan}).";
    PlanLimitReached = "PLAN_LIMIT_REACHED", 403,
        "El plan {plan} tiene un máximo de {value} {limit_name}. Elimina algo o cambia de plan.",
        "The plan {plan} allows at most {value} {limit_name}. Remove something or change the plan.";
    FeatureNotInPlan = "FEATURE_NOT_IN_PLAN", 403,
        "El plan {plan} no incluye agentes de IA.",
        "The plan {plan} does not include AI agents.";
    PlanSizeExceeded = "PLAN_SIZE_EXCEEDED", 413,
        "El plan {plan} tiene un máximo de {value} {limit_name}. Elimina algo o cambia de plan.",
        "The plan {plan} allows at most {value} {limit_name}. Remove something or change the plan.";
    TooManyAtOnce = "TOO_MANY_AT_ONCE", 429,
        "Hay demasiadas peticiones a la vez desde tu dirección. Espera a que terminen algunas.",
        "There are too many requests at once from your address. Wait until some have ended.";
    TooManyTrials = "TOO_MANY_TRIALS", 429,
        "Los modelos se prueban como máximo {value} veces por minuto. Espera {retry_after_seconds} segundos.",
        "Models are tried at most {value} times a minute. Wait {retry_after_seconds} seconds.";
    RateLimited = "RATE_LIMITED", 429,
        "Demasiadas peticiones: el plan {plan} admite {value} por minuto. Espera {retry_after_seconds} segundos.",
        "Too many requests: the plan {plan} allows {value} a minute. Wait {retry_after_seconds} seconds.";
    VisitorLimited = "VISITOR_LIMITED", 429,
        "Es demasiado seguido. Vuelve a intentarlo en {retry_after_seconds} segundos.",
        "That is too often. Try again in {retry_after_seconds} seconds.";

    // What the models of a knowledge base answer, those that judge what it had, and those that write.
    EmbeddingMisconfigured = "EMBEDDING_MISCONFIGURED", 422,
        "La configuración de embeddings de la base de conocimiento no se puede usar: {reason}.",
        "The embedding configuration of the knowledge base cannot be used: {reason}.";
    EmbeddingRefused = "EMBEDDING_REFUSED", 502,
        "El proveedor de embeddings rechaza la petición o responde algo que no sirve. Revisa el modelo, las dimensiones, la dirección y la clave.",
        "The embedding provider refuses the request or answers something of no use. Check the model, the dimensions, the address and the key.";
    EmbeddingUnavailable = "EMBEDDING_UNAVAILABLE", 503,
        "El proveedor de embeddings no responde. Vuelve a intentarlo.",
        "The embedding provider does not answer. Try again.";
    RerankMisconfigured = "RERANK_MISCONFIGURED", 422,
        "La configuración de reordenamiento no se puede usar: {reason}.",
        "The re-ranking configuration cannot be used: {reason}.";
    ModelMisconfigured = "MODEL_MISCONFIGURED", 422,
        "La configuración del modelo del agente no se puede usar: {reason}.",
        "The model configuration of the agent cannot be used: {reason}.";
    ModelRefused = "MODEL_REFUSED", 502,
        "El proveedor del modelo rechaza la petición. Revisa el modelo, la dirección, la clave y el saldo.",
        "The provider of the model refuses the request. Check the model, the address, the key and the credit.";
    ModelUnavailable = "MODEL_UNAVAILABLE", 503,
        "El proveedor del modelo no responde. Vuelve a intentarlo.",
        "The provider of the model does not answer. Try again.";

    // What went wrong on our side.
    Timeout = "TIMEOUT", 503,
        "La operación tardó demasiado y se ha interrumpido. Vuelve a intentarlo.",
        "The operation took too long and was stopped. Try again.";
    DatabaseUnavailable = "DATABASE_UNAVAILABLE", 503,
        "La base de datos no responde. No se ha guardado nada; vuelve a intentarlo.",
        "The database does not answer. Nothing was saved; try again.";
    StorageUnavailable = "STORAGE_UNAVAILABLE", 503,
        "El almacenamiento de archivos no responde. No se ha guardado nada; vuelve a intentarlo.",
        "The file storage does not answer. Nothing was saved; try again.";
    SearchUnavailable = "SEARCH_UNAVAILABLE", 503,
        "El motor de búsqueda no responde. Vuelve a intentarlo.",
        "The search engine does not answer. Try again.";
    Busy = "BUSY", 503,
        "Hay demasiadas operaciones a la vez. No se ha guardado nada; vuelve a intentarlo.",
        "Too many operations at once. Nothing was saved; try again.";
    StorageFull = "STORAGE_FULL", 507,
        "El disco del servidor está lleno. No se ha guardado nada.",
        "The server's disk is full. Nothing was saved.";
    SecretUnreadable = "SECRET_UNREADABLE", 500,
        "Un secreto guardado no se puede descifrar: la clave maestra ha cambiado. Guárdalo de nuevo.",
        "A stored secret cannot be decrypted: the master key has changed. Save it again.";
    Internal = "INTERNAL", 500,
        "Error interno. Indica el request_id a quien administra la plataforma.",
        "Internal error. Give the request_id to whoever runs the platform.";
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
