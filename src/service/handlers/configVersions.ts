import { create, type JsonObject } from '@bufbuild/protobuf';
import type { Timestamp } from '@bufbuild/protobuf/wkt';
import type { HandlerContext } from '@connectrpc/connect';
import {
  AuthenticationType,
  type AuthenticatorInfo,
  AuthenticatorInfoSchema,
} from '../../gen/viam/app/v1/authorization_pb';
import type { ConfigDocument } from '../config/configText';
import { invalid, notFound, stale } from '../errors';
import { isLargeText } from '../messages/structField';
import {
  type ConfigKind,
  type ConfigRows,
  listRevisions,
  replaceConfig,
  type RevisionPage,
  type RevisionRows,
  VERSION_TABLES,
} from '../store/configVersions';
import { existingKeyIds } from '../store/credentials';
import { type Micros, MICROS_PER_MILLI, wholeMillis } from '../store/micros';
import {
  hasLargeTexts,
  MAX_SMALL_BYTES,
  prepareMeasurement,
  type PreparedQuery,
  type StoreAccess,
} from '../store/store';
import { type ConfigDescription, describeConfigs } from './describeConfigs';
import {
  getCaller,
  type HandlerDependencies,
  requireNameInUpdate,
  toLargeCall,
} from './handlerSupport';
import { createSequencePageTokens, pageLimit } from '../messages/paging';
import { comparedTime, toRangeLimit } from '../messages/wireTimes';

/** Kind of config, and its parts that differ between kinds. */
interface VersionOptions<Kind extends ConfigKind, Row extends ConfigRows[Kind]> {
  readonly kind: Kind;
  readonly find: (access: StoreAccess, id: string) => Promise<Row | undefined>;
  /** Returns the columns that every new version sets. */
  readonly createColumns?: () => Partial<ConfigRows[Kind]>;
  /** Records the resources that a new config uses, in the transaction that writes the config. */
  readonly writeUses: (transaction: StoreAccess, id: string, config: JsonObject) => Promise<void>;
}

/** Change to a config. */
interface ConfigEdit<Kind extends ConfigKind> {
  /** New config; undefined to leave it unchanged. */
  readonly document: ConfigDocument | undefined;
  /** Columns that change, in addition to the name and config. */
  readonly columns?: Partial<ConfigRows[Kind]>;
}

interface UpdateRequest {
  readonly id: string;
  readonly name: string;
  readonly lastKnownUpdate?: Timestamp | undefined;
}

interface HistoryRequest {
  readonly id: string;
  readonly pageToken?: string | undefined;
  readonly pageLimit?: bigint | undefined;
  readonly start?: Timestamp | undefined;
  readonly end?: Timestamp | undefined;
}

interface HistoryOptions<Revision, Row, Entry> {
  /** Page size for requests without a limit; the maximum by default. */
  readonly defaultLimit?: number;
  /** True if the caller can know who made the edits. */
  readonly withEditors: boolean;
  /** Returns true if the caller can read a revision; by default, the caller can read all. */
  readonly canRead?: (revision: Revision) => boolean;
  readonly describe: (
    revision: Revision,
    current: Row,
    editedBy: AuthenticatorInfo | undefined,
  ) => Entry;
  readonly listStructs: ConfigDescription<Revision, Entry>['listStructs'];
}

/**
 * Reads, updates, and lists the versions of configs of one kind. Updates are optimistic, so no
 * update is lost without an error (spec part 3, `last_known_update`).
 */
export class ConfigVersions<Kind extends ConfigKind, Row extends ConfigRows[Kind]> {
  private readonly configBytes: PreparedQuery<{ bytes: number }>;

  constructor(
    private readonly dependencies: HandlerDependencies,
    private readonly options: VersionOptions<Kind, Row>,
  ) {
    this.configBytes = prepareMeasurement(VERSION_TABLES[options.kind].configs, 'config_json');
  }

  /** @throws NotFound if the config doesn't exist. */
  async get(id: string): Promise<Row> {
    const { kind, find } = this.options;
    const row = await find(this.dependencies.store, id);
    if (row === undefined) throw notFound(kind, id);
    return row;
  }

  /** Returns true if the current config is so large that it must be processed in slices. */
  async isLarge(id: string): Promise<boolean> {
    const [size] = await this.configBytes.execute(this.dependencies.store, id);
    return size !== undefined && size.bytes > MAX_SMALL_BYTES;
  }

  /**
   * Writes a new version with the request's name. Writes nothing if nothing changes.
   * @param edit returns the change to the version that was read. Runs again if another writer was
   *   faster.
   * @returns the config, which can be newer than the written version, and the written document.
   * @throws NotFound if the config doesn't exist, Aborted if the caller hasn't read its newest
   *   version or other writers repeatedly win, and the errors of `requireName`.
   */
  async update(
    request: UpdateRequest,
    context: HandlerContext,
    edit: (current: Row, attempt: number) => Promise<ConfigEdit<Kind>>,
  ): Promise<{ row: Row; document: ConfigDocument | undefined }> {
    for (let attempt = 1; attempt <= MAX_WRITE_ATTEMPTS; attempt += 1) {
      context.signal.throwIfAborted();
      const current = await this.get(request.id);
      const name = requireNameInUpdate(request.name, current.name);
      checkNotStale(this.options.kind, current, request.lastKnownUpdate);
      const change = await edit(current, attempt);
      const { document } = change;
      if (await this.tryReplace(current, name, change, context)) {
        return { row: await this.get(request.id), document };
      }
    }
    throw stale('many callers are changing it at the same time: try again');
  }

  /** Returns one page of the edits, newest first. */
  async listHistory<Entry>(
    request: HistoryRequest,
    context: HandlerContext,
    options: HistoryOptions<RevisionRows[Kind], Row, Entry>,
  ): Promise<{ history: Entry[]; nextPageToken: string }> {
    const { store, documentWork } = this.dependencies;
    const { kind } = this.options;
    const { id } = request;
    const { history: table, idColumn } = VERSION_TABLES[kind];
    const revisionTexts = { table, column: 'old_config_json', idColumn, id };
    const configTexts = { table: VERSION_TABLES[kind].configs, column: 'config_json', id };
    const isLarge = await hasLargeTexts(store, configTexts, revisionTexts);
    return documentWork.runSized(isLarge, toLargeCall(context), async () => {
      const { defaultLimit = MAX_REVISION_PAGE, canRead = () => true } = options;
      const current = await this.get(id);
      const page = toRevisionPage(request, defaultLimit);
      const { revisions, hasMore } = await listRevisions(store, kind, id, page);
      const oldest = revisions.at(-1);
      const readable = revisions.filter((row) => canRead(row));
      const getEditor = options.withEditors ? await createEditorLookup(store, readable) : undefined;
      const history = await describeConfigs(this.dependencies, context, readable, {
        getLength: (row) => row.old_config_json.length,
        describe: (row) => options.describe(row, current, getEditor?.(row)),
        listStructs: options.listStructs,
      });
      return { history, nextPageToken: TOKENS.create(hasMore ? oldest?.sequence : undefined) };
    });
  }

  /**
   * Attempts once to overwrite the version that was read. Resolves to false if another caller has
   * since written a version.
   */
  private async tryReplace(
    current: Row,
    name: string,
    { document, columns = {} }: ConfigEdit<Kind>,
    context: HandlerContext,
  ): Promise<boolean> {
    const { store, documentWork, now } = this.dependencies;
    const { kind, createColumns, writeUses } = this.options;
    const isSameConfig = document === undefined || document.text === current.config_json;
    const old: Readonly<Record<string, unknown>> = { ...current };
    const isSame = Object.entries(columns).every(([column, value]) => old[column] === value);
    if (isSameConfig && isSame && name === current.name) return true;
    const text = isSameConfig ? current.config_json : document.text;
    if (isLargeText(text)) await documentWork.waitForTurn(context.signal);
    const next = {
      ...columns,
      ...createColumns?.(),
      name,
      config_json: text,
      last_updated: versionAfter(current.last_updated, now()),
    };
    const { authenticationType: type, identityId: value } = getCaller(context);
    return store.transaction().execute(async (transaction) => {
      const written = await replaceConfig(transaction, kind, current, next, { type, value });
      if (written && !isSameConfig) await writeUses(transaction, current.id, document.value);
      return written;
    });
  }
}

/** Maximum number of attempts at an update before the caller must retry. */
const MAX_WRITE_ATTEMPTS = 50;

/**
 * Returns the version that follows another version: the current time or, if the clock hasn't
 * advanced past the previous version, one millisecond after that version. Versions are whole
 * milliseconds, so clients with millisecond precision send back exactly the version that they read.
 */
function versionAfter(old: Micros, now: Micros): Micros {
  return Math.max(wholeMillis(now), old + MICROS_PER_MILLI);
}

/**
 * Rejects an update if the caller hasn't seen the current state (spec part 3, `last_known_update`).
 * @throws Aborted if the row is newer than the version that the caller read, InvalidArgument if the
 *   version is not a valid time.
 */
function checkNotStale(
  kind: string,
  row: { name: string; last_updated: Micros },
  lastKnownUpdate: Timestamp | undefined,
): void {
  if (lastKnownUpdate === undefined) return;
  if (row.last_updated > comparedTime(lastKnownUpdate, 'last_known_update')) {
    throw stale(
      `${kind} "${row.name}" was changed since it was read (last_known_update): read it again`,
    );
  }
}

/** Maximum page size of a history, even if a request specifies a larger one. */
const MAX_REVISION_PAGE = 1000;

/**
 * Maximum size of the configs on a page. The text is sent twice, and a message is limited to 64
 * MiB.
 */
const MAX_PAGE_BYTES = 8 * 1024 * 1024;

const TOKENS = createSequencePageTokens('r');

/**
 * Parses a history request's paging fields. Clients send an empty token for the first page and a
 * limit of 0 for the default.
 * @throws InvalidArgument if this service didn't issue the token, the limit is negative, or a time
 *   is invalid.
 */
function toRevisionPage(
  { pageToken = '', pageLimit: limit = 0n, start, end }: HistoryRequest,
  defaultLimit: number,
): RevisionPage {
  if (limit < 0n) throw invalid('page_limit: must not be negative');
  return {
    before: TOKENS.parse(pageToken),
    limit: pageLimit(limit, { byDefault: defaultLimit, max: MAX_REVISION_PAGE }),
    maxBytes: MAX_PAGE_BYTES,
    start: start && toRangeLimit(start, 'start'),
    end: end && toRangeLimit(end, 'end'),
  };
}

/** Edit as stored in histories. */
interface Edit {
  readonly editor_type: number;
  readonly editor_value: string;
}

/**
 * Returns a function that finds the authors of edits. Its result is in the wire format and
 * indicates whether the author's key has been deleted.
 */
async function createEditorLookup(
  access: StoreAccess,
  edits: readonly Edit[],
): Promise<(edit: Edit) => AuthenticatorInfo> {
  const keys = edits.filter(isByKey).map(({ editor_value }) => editor_value);
  const existing = await existingKeyIds(access, keys);
  return (edit) =>
    create(AuthenticatorInfoSchema, {
      type: edit.editor_type,
      value: edit.editor_value,
      isDeactivated: isByKey(edit) && !existing.has(edit.editor_value),
    });
}

function isByKey({ editor_type }: Edit): boolean {
  return (editor_type as AuthenticationType) === AuthenticationType.API_KEY;
}
