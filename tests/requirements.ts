/**
 * What this server promises, one sentence each, and where the promise comes from: `issue` is the numbered part
 * of the first issue, `transfers` that of the second, `agent` that of the third, `panel` that of the fourth,
 * `release` that of the fifth, `spec` the feature description, `wire` the protocol page, `Fnnn` a lesson from the field.
 * A test cites what it proves with `verifies("…")`; `contract/requirements_test.ts` fails on one nobody cites.
 */
export const REQUIREMENTS = {
  // 1. skeleton
  "library": ["The library is imported by its name and exports what it documents.", "issue 1"],
  "exact-grants": ["Nothing that users are told to type grants everything, and tasks never prompt.", "issue 8"],
  "layers": ["A module imports only from its own layer and those above it in ARCHITECTURE's table.", "architecture"],
  "stdout-module": ["Only lib/log.ts knows console, and nothing asks for a permission.", "issue 1, F110"],
  "docs-current": ["Generated parts of README and the catalog snapshot are current.", "issue 1, 2"],
  "pins": ["Every dependency is pinned exactly and the lock file is frozen.", "issue 1"],

  // 2. catalog
  "catalog-facts": ["Names, aliases, parameters, defaults, flags and shapes equal the recorded facts.", "issue 2"],
  "catalog-told": ["Every action has texts in both languages and a valid example.", "issue 2"],
  "catalog-compiles": ["Every inputSchema and returnsSchema compiles as JSON Schema 2020-12.", "issue 2"],
  "catalog-deterministic": ["Building the catalog twice gives the same bytes, and the committed snapshot.", "issue 2"],
  "catalog-risk": [
    "Seven actions are secret and five dangerous; all others follow from readOnly.",
    "issue 2, F122, F123",
  ],

  // 3. docs tools
  "docs-offline": [
    "Docs tools, resources and the overview work without any permission, so touch no network.",
    "issue 3",
  ],
  "list-shape": ["list_actions without paging gives {count, actions} with all 179.", "spec: search"],
  "list-filters": ["category (slug or either label), read_only, stream and risk filter lists and searches.", "issue 3"],
  "list-paging": ["limit 1-200 or offset gives count, total and next_offset, null at the end.", "spec: search"],
  "search-substring": [
    "Substring search is case-insensitive, literal, in catalog order, in both languages.",
    "issue 3",
  ],
  "search-keywords": [
    "Keyword search needs every term, knows synonyms, and puts exact names and aliases first.",
    "issue 3",
  ],
  "search-promised": ["The promised queries find set_group_ban and get_group_member_list.", "issue 3"],
  "categories-shape": ["list_categories gives an array of {category, label, count}.", "issue 3"],
  "get-action": ["get_action gives schema, readOnly, returnsSchema and examples, also by alias.", "spec: schemas"],
  "check-action": ["check_action tells every problem at once, names unknown params, and is never isError.", "issue 3"],
  "nearest-names": ["Unknown action names are answered with the nearest names in every tool.", "issue 3, F021"],
  "language": ["SNOWLUMA_MCP_LANG=zh turns the catalog's texts into Chinese.", "issue 3"],
  "resources": ["The catalog and each action are resources; an unknown one names its neighbours.", "issue 3"],

  // 4. protocol
  "modern": ["Revision 2026-07-28 is served by server/discover and per-request metadata.", "issue 4, F081"],
  "legacy": ["Every initialize revision from 2024-11-05 to 2025-11-25 is echoed and served.", "issue 4, F080"],
  "legacy-unknown": ["An unknown initialize revision gets our newest legacy one, not an error.", "F080"],
  "no-initialized": ["Clients that never send notifications/initialized are served.", "issue 4"],
  "eras-equal": ["Both generations get equal tool results; resultType only in the modern one.", "F081"],
  "cache-hints": [
    "Cache hints are exactly those of the table, and never on tool calls or for legacy clients.",
    "spec: caching",
  ],
  "revision-refused": [
    "An unsupported revision is refused with -32022 on every request before anything runs.",
    "issue 4",
  ],
  "parse-error": ["A malformed line is answered with -32700 and id null, and the session goes on.", "issue 4, F072"],
  "flat-schemas": [
    "Tool schemas are plain objects without $ref, combinators or not, at most 4 deep.",
    "issue 4, F083-F086",
  ],
  "tool-names": ["Tool names match ^[a-z][a-z0-9_]{0,31}$.", "issue 4, F089"],
  "output-schema": [
    "Every tool has an outputSchema, and every result, also of a failure, fits it.",
    "issue 4, F084, F090",
  ],
  "unknown-arguments": ["Unknown tool arguments are refused by name.", "issue 4"],
  "visibility": ["query_action is listed in read and write mode, invoke_action in write mode only.", "issue 4, spec"],

  // 5. configuration
  "config-sources": ["The same settings come from flag, environment or file, in that precedence.", "issue 5, F075"],
  "config-empty": ["An empty value means absent.", "issue 5"],
  "config-invalid": ["An invalid value ends start-up with exit 2 and one sentence; secrets are masked.", "issue 5"],
  "config-token-flag": ["A token is never accepted as a flag, and its value is not repeated.", "issue 5"],
  "config-docs": ["Without an endpoint the mode is docs, with a notice if another was asked for.", "issue 5"],
  "config-endpoint": ["The endpoint is http or https without credentials, query or fragment.", "issue 5"],

  // 6. execution
  "gate-every-call": ["The mode gate runs on every call, also of tools that are not listed.", "issue 6"],
  "gate-risk": [
    "Secret and dangerous actions are refused in every mode unless allowed by name.",
    "issue 6, F122, F123",
  ],
  "refusals-send-nothing": ["Gate refusals, unknown actions and non-object params send no request.", "issue 6"],
  "aliases": ["Aliases are accepted and count as their action.", "issue 6"],
  "params-unchecked": ["query_action and invoke_action pass params on without validating them.", "issue 3, F001"],
  "one-post": ["A call is exactly one POST of {action, params} with the bearer token.", "issue 6"],
  "no-redirect": ["Redirects are not followed, and the token goes nowhere else.", "issue 6"],
  "no-proxy": ["Proxy variables of the environment are not obeyed.", "issue 6"],
  "never-retry": ["Nothing is sent twice, whatever happens.", "issue 6, F010"],
  "timeout-whole": ["The timeout covers connecting, waiting and the whole body.", "issue 6, F034"],
  "answer-cap": ["An answer above 16 MiB is an error; one of exactly 16 MiB is not.", "issue 6"],
  "envelope-judged": ["Status and retcode decide, not the HTTP status.", "issue 6, wire 11"],
  "passed-through": [
    "The envelope is passed through unchanged, with unknown fields and in any key order.",
    "issue 6, F019",
  ],
  "digits": ["Whole numbers beyond 2^53-1 arrive digit for digit in text and structured content.", "issue 6, F004"],
  "outcome-write": ["A write that timed out, was cut or cancelled is unknown, isError, and says so.", "issue 6, F050"],
  "outcome-read": ["A read that timed out, was cut or cancelled is failed and isError.", "issue 6"],
  "outcome-refused": ["A refused connection is failed for writes too: nothing can have left.", "F010"],
  "outcome-async": ["Asynchronous and contradictory answers are unknown.", "issue 6"],
  "cancel": ["MCP cancellation ends the HTTP exchange at once, also during the body.", "issue 6"],
  "business-failure": ["A business failure keeps its envelope without isError, also with HTTP 4xx.", "issue 6, F018"],
  "auth": ["HTTP 401/403 and retcode 1401/1403 are kind auth; the next step names the setting.", "issue 6, F030"],
  "result-shape": ["Text is the compact JSON of the result, or message and next step of an error.", "issue 6, F092"],
  "runtime-info": ["get_runtime_info shows mode, limits and sources, no endpoint and no secret.", "spec: runtime"],
  "check-connection": ["check_connection asks three things and keeps partial failures visible.", "spec: runtime"],
  "untrusted-text": ["Texts from chats come back as data, unchanged, and never raw on standard error.", "F103"],
  "no-invented-cause": ["A refusal shows retcode and wording as given, without a guessed cause.", "F018"],

  // 7. simulator and demo
  "simulator-returns": ["The simulator answers all 179 actions with data valid against their shapes.", "issue 7"],
  "simulator-wire": ["The simulator's adapter behaves as the wire page says.", "issue 7, wire 2, 3"],
  "simulator-world": ["What is done in the simulator shows in what is read from it.", "issue 7"],
  "simulator-faults": ["Each scripted fault is seen by a client as what it is.", "issue 7"],
  "demo": ["The demo exits 0 in under 15 s with every step doing what it says.", "issue 7"],

  // 8. command line
  "stdout-protocol": ["Every line on stdout while serving is JSON-RPC, whatever happens.", "issue 8, F063"],
  "shutdown": ["End of input, SIGTERM and SIGINT exit 0 within 2 s with calls in flight.", "issue 8, F064"],
  "terminal-notice": ["On a terminal, serve says on stderr what it is waiting for.", "issue 8"],
  "doctor": ["doctor shows settings and sources, tries the bot, and exits 1 on a problem.", "issue 8"],
  "init": ["init prints a valid block for each client, with exact grants and never -A.", "issue 8"],
  "cli-usage": ["Unknown commands and flags exit 2 and name the known ones.", "issue 8"],
  "no-prompt": ["A missing grant never prompts; it is an error that names the flag.", "issue 8, F109"],

  // 9. bad input
  "bad-lines": ["Malformed JSON, invalid UTF-8, wrong shapes and over-long lines each get one error.", "issue 9"],
  "bad-arguments": ["Unknown methods, wrong argument types and a 10 MB argument get a clear error.", "issue 9"],
  "burst": ["1,000 requests at once are all answered.", "issue 9"],
  "bad-answers": ["HTML, nothing, half a body, null, an array, 17 MiB or a redirect fail that one call.", "issue 9"],
  "no-token": ["The token, plain or encoded, is nowhere: results, errors, stderr, doctor.", "issue 9, F079"],
  "bounded": ["Line, answer, request, queue, page and query sizes are bounded, at the edge.", "issue 9"],

  // transfers 1, 2: choosing the transport, reading a stream
  "stream-chosen": ["invoke_action picks the ordinary or the stream transport by the catalog.", "transfers 1"],
  "stream-gated": ["Stream actions are writes: query_action and read mode refuse them.", "transfers 1, spec"],
  "stream-slots": ["A fifth active stream action is refused at once as busy, with a next step.", "transfers 1"],
  "frames-split": ["Frames are found wherever the network cuts them, in one pass and bounded memory.", "transfers 2"],
  "frames-checked": ["Marker, status and types of a frame are checked before it is used.", "transfers 2"],
  "frames-capped": [
    "Wire frame, generic frames, their text, chunks and file size each have a cap and an error of their own.",
    "transfers 2",
  ],
  "stream-order": ["Nothing comes before file_info, twice, out of order, or after the last frame.", "transfers 2"],
  "stream-agrees": ["Sizes and totals that disagree with the bytes, and bad base64, end a download.", "transfers 2"],
  "stream-ends": ["A body that ends without a last frame is an error, whatever came before.", "transfers 2, wire 4"],
  "stream-timeouts": ["First byte and every pause are limited by the timeout; each read resets it.", "transfers 2"],
  "stream-cancel": ["Cancelling ends a transfer at once in both generations.", "transfers 2, 5"],
  "stream-refused": ["A failed frame is an MCP error that carries the bot's wording.", "transfers 2"],
  "stream-summary": ["Other streams give their frames, frame_count and terminal.", "spec: streams"],
  "stream-ordinary": ["An ordinary answer to a stream call is told as the refusal it is.", "wire 4"],

  // transfers 3: downloads
  "download-whole": ["A file appears under its name only when it is whole, synced and checked.", "transfers 3"],
  "download-part": ["Until then it is a .part file with mode 0600; after any fault it is gone.", "transfers 3"],
  "download-result": [
    "A download gives exactly file_path, file_size, sha256, frame_count and terminal.",
    "transfers 3, spec",
  ],
  "download-name": [
    "The remote name is a hint: it never leaves the folder, replaces a file, or loses its meaning.",
    "transfers 3, F060",
  ],
  "download-quota": [
    "Committed and active files share twice the file limit; an unknown size reserves one limit.",
    "transfers 3",
  ],
  "download-reclaim": ["Left-over .part files are removed at start, those of living processes not.", "transfers 3"],
  "download-folder": ["The folder is made 0700 and checked at start; others may not own or write it.", "transfers 3"],
  "download-default": [
    "A default folder that cannot be used fails downloads with advice, not the start.",
    "transfers 3",
  ],
  "download-kept": ["Committed files are never deleted by us.", "transfers 3"],

  // transfers 4: uploads
  "upload-only": ["execution.input_file goes with upload_file_stream alone.", "transfers 4"],
  "upload-root": ["Without an upload root, uploads are refused with the setting's name.", "transfers 4"],
  "upload-fence": [
    "Only a regular file inside the root is sent: no links, no .., no hard links, no FIFOs, nothing swapped.",
    "transfers 4, F058, F059",
  ],
  "upload-steady": ["A file that changes while it is read fails the upload.", "transfers 4"],
  "upload-owned": ["Fields of the transfer are refused in params, and never count as missing.", "transfers 4"],
  "upload-chunks": ["Chunks have 1 MiB; the last call has none and carries the SHA-256.", "transfers 4, wire 5"],
  "upload-checked": ["Size, hash and count in the bot's answer are checked against ours.", "transfers 4"],
  "upload-reset": ["Before the commit any failure or cancellation sends one reset, after it none.", "transfers 4"],
  "upload-unknown": ["A lost answer to the last call is unknown.", "transfers 4"],
  "upload-empty": ["An empty file is one empty chunk.", "transfers 4"],
  "upload-path": ["No path of this machine reaches the bot.", "F055, F056"],

  // transfers 5, 6: progress, tracing
  "progress": [
    "Progress comes only with a token: bytes written or acknowledged, or frames; a total only if known.",
    "transfers 5, spec",
  ],
  "progress-pace": [
    "At most one notification per 250 ms and the last pending one before success, increasing, none afterwards.",
    "transfers 5, spec",
  ],
  "progress-failed": ["A failed delivery of progress is surfaced and harms no transfer.", "transfers 5"],
  "trace-kept": ["A valid caller's trace id is kept, with a new span id for each call.", "transfers 6, spec"],
  "trace-new": ["Without a valid parent the trace is an independent one.", "transfers 6, spec"],
  "trace-result": ["Every tool result, errors too, has _meta.traceparent in both generations.", "transfers 6, spec"],
  "trace-headers": [
    "traceparent and tracestate go out as headers of calls, streams, chunks and the reset, never in params.",
    "transfers 6, spec",
  ],
  "trace-state": ["tracestate is validated, forwarded and never logged; baggage is neither.", "transfers 6, spec"],
  "trace-invalid": ["Invalid trace metadata gives one fixed diagnostic, and the call goes on.", "transfers 6, spec"],
  "call-log": [
    "One stderr line a call: tool, traceparent, outcome, kind, duration, and nothing of its content.",
    "transfers 6, spec",
  ],

  // transfers 7, 8
  "simulator-streams": ["The simulator serves streams and uploads by every rule of the wire page.", "transfers 7"],
  "transfer-memory": ["A slow disk or bot is back-pressure, not a buffer.", "transfers 8"],

  // agent 1: completing missing parameters
  "input-twins": [
    "The tools with input take the arguments, gates, risk rules and results of their twins, which do not change.",
    "agent 1, spec: completing",
  ],
  "input-missing-only": [
    "Only absent fields of the catalog's top-level required are asked for, not conditional or optional ones.",
    "agent 1, spec: completing",
  ],
  "input-form": [
    "One form with a single string params_json lists each missing field with its type and description.",
    "agent 1, spec: completing",
  ],
  "input-answer": [
    "The answer is a JSON object of missing fields alone, valid against their schemas; anything else executes nothing.",
    "agent 1, spec: completing",
  ],
  "input-declined": ["A declined or cancelled form executes nothing and says so.", "agent 1, spec: completing"],
  "input-modern": ["Modern clients get input_required and resume with their answer.", "agent 1, spec: completing"],
  "input-legacy": ["Older clients with forms get elicitation/create.", "agent 1, spec: completing"],
  "input-formless": [
    "A client without form support gets a tool error that names the other tool.",
    "agent 1, spec: completing, F100",
  ],
  "input-bound": ["A continuation is signed and tied to its tool and arguments.", "agent 1, spec: completing"],
  "input-expiry": ["A continuation ends after ten minutes, and with the process.", "agent 1, spec: completing"],
  "input-once": [
    "A continuation is consumed before execution: concurrent and repeated answers execute once.",
    "agent 1, spec: completing",
  ],
  "input-pending": ["At most 256 prompts are pending; the 257th is refused as busy.", "agent 1, spec: completing"],
  "input-complete": ["Complete arguments bypass the form.", "agent 1, spec: completing"],
  "input-gated-first": ["What a gate refuses is refused before anything is asked.", "agent 1"],

  // agent 2: live events
  "events-url": [
    "The event address is ws or wss without credentials, query or fragment, and never guessed from the other one.",
    "agent 2, spec: events",
  ],
  "events-lazy": ["Only subscribe_events opens the connection; listing does not.", "agent 2, spec: events"],
  "events-modes": ["The event tools are listed in read and write mode with an address.", "agent 2, spec: events"],
  "events-token": [
    "The token goes in the authorization header, its own or that of calls, and nowhere else.",
    "agent 2, spec: events, F032",
  ],
  "events-auth": [
    "A wrong token is the same kind, before the upgrade or after it, from subscribe_events itself.",
    "agent 2, wire 6, F031, F032",
  ],
  "events-path": ["An upgrade refused with 400 advises the path.", "agent 2, wire 6"],
  "events-account": [
    "An event of another account, meta events included, stops the connection and is surfaced.",
    "agent 2, spec: events",
  ],
  "events-malformed": ["A malformed event stops the connection and is surfaced.", "agent 2, spec: events"],
  "events-filters": [
    "Types, groups and users are combined with AND; omitted ones let all through; message_sent is a message.",
    "agent 2, spec: events",
  ],
  "events-filter-ids": [
    "Each id filter takes at most 100 distinct positive integers.",
    "agent 2, spec: events",
  ],
  "events-meta": ["Meta events are checked and never stored.", "agent 2, F041"],
  "events-resource": [
    "A resource has an unguessable id and is read with ?after= or whole, with all its fields.",
    "agent 2, spec: events",
  ],
  "events-cursor": [
    "Cursors are decimal, count from 1 in each resource, and reads do not consume.",
    "agent 2, spec: events",
  ],
  "events-buffer": [
    "A resource keeps at most 256 events and 1 MiB; what is dropped is counted and shows as a gap.",
    "agent 2, spec: events, F045",
  ],
  "events-resources": ["At most 16 resources share one connection of one account.", "agent 2, spec: events"],
  "events-frames": ["A frame above 256 KiB is refused without buffering it.", "agent 2, spec: events"],
  "events-no-reconnect": [
    "Nothing reconnects by itself; resources are released before a new account or connection.",
    "agent 2, spec: events",
  ],
  "events-disconnect": ["A lost connection shows in the status of every resource.", "agent 2, spec: events, F042"],
  "events-quiet": ["A bot that says nothing keeps its connection.", "agent 2, F037"],
  "events-digits": ["Ids beyond 2^53-1 in events arrive digit for digit.", "agent 2, F004"],
  "events-updated-modern": [
    "A modern client gets updates by subscriptions/listen; closing that stream releases nothing.",
    "agent 2, spec: events, F097",
  ],
  "events-updated-legacy": [
    "An older client gets updates after resources/subscribe, whose end releases the resource.",
    "agent 2, spec: events, F097",
  ],
  "events-updated-pace": [
    "At most one update per resource per 100 ms, the trailing one included.",
    "agent 2",
  ],
  "events-notify-failed": ["An update that could not be delivered shows as notification_failed.", "agent 2"],
  "events-release": [
    "unsubscribe_events works for both generations; the last release closes the connection, as the end of MCP does.",
    "agent 2, spec: events",
  ],
  "events-cache": [
    "Event resources are never cached; the list of resources is not, once events are enabled.",
    "spec: caching",
  ],
  "events-no-business": ["No event operation calls an action of the bot.", "agent 2, spec: events"],
  "events-read": [
    "read_events reads the same as the resource, and waits up to 25 s for something to come.",
    "agent 2, F097, F098",
  ],
  "events-untrusted": [
    "Event text is marked as untrusted and never raw in our log lines.",
    "agent 2, F103",
  ],

  // agent 3: durable background transfers
  "tasks-clients": [
    "Task tools are for modern clients with the tasks extension; others do not see them and get -32021.",
    "agent 3, spec: tasks",
  ],
  "tasks-methods": [
    "tasks/get, tasks/cancel and tasks/update are served; tasks/list and tasks/result are unknown.",
    "agent 3, spec: tasks",
  ],
  "tasks-streams-only": [
    "invoke_action_background takes the arguments of invoke_action and only stream actions.",
    "agent 3, spec: tasks",
  ],
  "tasks-first": [
    "The record is on disk and synced before the work starts and before the handle is returned.",
    "agent 3, spec: tasks",
  ],
  "tasks-handle": [
    "A handle has resultType task, pollIntervalMs 1000 and ttlMs null.",
    "agent 3, spec: tasks",
  ],
  "tasks-get": [
    "tasks/get gives the state and, at the end, the result or error; a refusal of the bot is a completed task.",
    "agent 3, spec: tasks",
  ],
  "tasks-cancel": [
    "Cancelling is cooperative; a completion that wins the race stays.",
    "agent 3, spec: tasks",
  ],
  "tasks-update": [
    "tasks/update takes responses to outstanding requests alone, and there are none.",
    "agent 3, spec: tasks",
  ],
  "tasks-list": [
    "list_tasks gives metadata without results, in pages of 1 to 100, by default 50.",
    "agent 3, spec: tasks",
  ],
  "tasks-restart": [
    "After a restart unfinished work is failed with an unknown remote outcome, nothing is replayed, results stay.",
    "agent 3, spec: tasks",
  ],
  "tasks-bounds": ["Four tasks at once, and 16 MiB a record.", "agent 3, spec: tasks"],
  "tasks-lease": [
    "One process holds a folder, by a lock that a crash releases; the task tools of others answer busy.",
    "agent 3, F077, F078",
  ],
  "tasks-private": ["Folders are 0700 and files 0600; wider permissions are refused.", "agent 3, spec: tasks"],
  "tasks-validated": [
    "A corrupt, oversized, foreign or newer file is an error that names it; the others stay readable.",
    "agent 3, spec: tasks",
  ],
  "tasks-atomic": ["Records are replaced whole, with file and folder synced.", "agent 3"],
  "tasks-scope": [
    "A folder is bound to a digest of mode, endpoint and token, and refused with advice under another.",
    "agent 3, spec: tasks",
  ],
  "tasks-closed": [
    "When the connection closes, running tasks are failed with an unknown remote outcome, within 2 s.",
    "agent 3",
  ],
  "tasks-no-secret": ["No file of the task folder holds a credential.", "agent 3, spec: tasks, F079"],

  // agent 4: simulator and demo
  "simulator-socket": [
    "The simulator's WebSocket greets, beats, reports what happens, answers calls, and breaks on cue.",
    "agent 4, wire 6, 9",
  ],
  "simulator-foreign": [
    "A client library nobody here wrote connects to the simulator, calls and receives.",
    "agent 4",
  ],
  "demo-agent": [
    "The demo subscribes, reads an answer by cursor, and finds its background upload again after a kill.",
    "agent 4",
  ],

  // panel 1: the draft
  "preview-every-mode": ["preview_message drafts in every mode and contacts nobody.", "panel 1, spec: panel"],
  "preview-text": [
    "All the meaning of a draft is in the text, the same for every client.",
    "panel 1, spec: panel, F104",
  ],
  "preview-literal": ["The text goes as one literal text segment, never as a string.", "panel 1, spec: panel"],
  "preview-reply": ["A reply segment comes first, with the quoted id.", "panel 1"],
  "preview-arguments": [
    "The arguments given are those with which invoke_action sends the draft.",
    "panel 1, spec: panel",
  ],
  "preview-bounds": [
    "target_id is a positive safe integer, reply_to non-zero and signed 32-bit, text neither empty nor too long.",
    "panel 1, spec: panel",
  ],
  "preview-can-send": ["can_send is true in write mode alone; otherwise the reason is told.", "panel 1"],

  // panel 2: who is told of the panel
  "panel-capable-only": [
    "UI metadata (both keys) and the listed resource go only to clients that show such panels.",
    "panel 2, spec: panel",
  ],
  "panel-csp-declared": ["The resource declares a policy without any outside origin.", "panel 2"],
  "panel-missing": ["A missing panel is a visible packaging error, at build and at run.", "panel 5, spec: panel"],

  // panel 3: the page
  "panel-built": ["The panel is one file, built the same everywhere, current, and at most 420 KiB.", "panel 3"],
  "panel-policies": ["It works under its hash-based policy and under the strict inline one.", "panel 3, F106"],
  "panel-closed": ["It opens no connection and refers to nothing outside.", "panel 3, spec: panel, F106"],
  "panel-alone": ["It shows static content before a handshake, and says so where no client answers.", "panel 3"],
  "panel-text-only": ["Texts are shown as text: no markup, no link, no script, no hidden character.", "panel 3, F108"],
  "panel-follows": ["It follows the client's theme, contrast, language, size and safe areas.", "panel 3"],
  "panel-accessible": ["It is usable by keyboard and screen reader (WCAG 2.2 AA).", "panel 3"],
  "panel-draft": ["It shows who, where, the quote, the text, the counts, and what sending does.", "panel 3"],

  // panel 4: sending
  "panel-click": ["It sends by a person's click alone, by the client's call of invoke_action.", "panel 4, spec: panel"],
  "panel-shown-sent": ["What is sent is what is shown; anything else cannot be sent.", "panel 4"],
  "panel-blocked": [
    "Without write mode or without tool calls of the client the button is off and says why.",
    "panel 4, spec: panel",
  ],
  "panel-once": [
    "Fast clicks, held keys, redraws and slow answers send once; nothing is repeated.",
    "panel 4, spec: panel",
  ],
  "panel-outcomes": ["It shows success, failed or unknown, never more certain than the server.", "panel 4"],
  "panel-model-told": ["The model is told that the person sent the draft, where the client takes that.", "panel 4"],

  // release 1: the runtime enforces the configuration
  "sandbox-flags": [
    "The command `permissions` prints the flags that these settings need, and with --json a client's block.",
    "release 1",
  ],
  "sandbox-exact": ["That list is what the program uses: nothing more, nothing less.", "release 1"],
  "sandbox-missing": ["With a grant missing, start-up says which and why, and exits with 2.", "release 1, F109"],
  "sandbox-worker": ["In read and write mode the binary serves from a worker with that list alone.", "release 1"],
  "sandbox-docs": ["In docs mode every grant is dropped before serving.", "release 1"],
  "sandbox-border": ["Exit codes, the end of input and signals cross the border of the worker.", "release 1"],
  "sandbox-refuses": [
    "The runtime itself refuses files, addresses and programs beside the list, in both forms.",
    "release 1",
  ],
  "sandbox-links": ["Where the runtime follows a link out of a folder, the fence refuses it.", "release 1, F058"],
  "sandbox-told": ["get_runtime_info shows what is granted, and says when there is no sandbox.", "release 1"],
  "sandbox-quiet": ["Serving never tries a forbidden thing; doctor does.", "release 1"],
  "sandbox-proxies": ["Proxy variables are forgotten before anything is connected.", "release 1"],

  // release 2: binaries
  "binary-built": ["The task `compile` writes one file of at most 105 MB for a target, and SHA256SUMS.", "release 2"],
  "binary-runtime": ["Without a runtime to embed the task fails with a sentence that says so.", "release 2"],
  "binary-version": ["The flag --version names version, commit, Deno and V8.", "release 2"],
  "binary-anywhere": [
    "The binary starts without environment, HOME, network or writable folder, from any path.",
    "release 2, F073, F111",
  ],
  "binary-streams": ["It ends well with input at its end and with output closed early.", "release 2, F064"],
  "binary-own-code": ["It loads no code from the disk at start.", "release 2"],
  "workflows": ["Actions are pinned by hash, and each target is built on its own system.", "release 2, F112, F114"],

  // release 3: the library
  "library-documented": ["Every exported symbol is documented, and every example type-checks.", "release 3"],
  "library-publish": ["The package publishes: explicit types, no tests in it.", "release 3"],
  "library-embeds": ["createServer serves on any transport, with the embedder's own parts.", "release 3"],

  // release 4: installing in clients
  "mcpb-valid": ["The bundle is valid for its own tool and starts as a client starts it.", "release 4"],
  "mcpb-arguments": ["Its settings come as arguments, the token alone by file or environment.", "release 4, F075"],
  "server-json": ["server.json is valid for the registry and names this version.", "release 4"],
  "init-clients": ["init prints the block for five clients, for the binary and for deno run.", "release 4"],
  "init-windows": ["Blocks for Windows start the program there, also from paths with spaces.", "release 4, F073"],

  // 10. speed
  "list-size": ["tools/list has at most 8 KiB in docs mode, list_actions' text at most 34 KiB.", "issue 10"],
} as const satisfies Record<string, readonly [sentence: string, source: string]>;

/** Name of a promise. */
export type Requirement = keyof typeof REQUIREMENTS;

/** Says which promises the surrounding test proves. The names are checked by type and by the coverage test. */
export function verifies(..._names: Requirement[]): void {}
