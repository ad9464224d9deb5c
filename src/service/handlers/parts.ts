import type { JsonObject } from '@bufbuild/protobuf';
import type { HandlerContext, ServiceImpl } from '@connectrpc/connect';
import { atOnce } from '../../base/slices';
import type { AppService } from '../../gen/viam/app/v1/app_pb';
import {
  type RobotPart,
  RobotPartSchema,
  type UpdateRobotPartRequest,
} from '../../gen/viam/app/v1/machine_pb';
import { checkConfig } from '../config/configRules';
import {
  type ConfigDocument,
  serializeConfig,
  restoreKeyOrder,
  isSameInOrder,
  parseConfigText,
} from '../config/configText';
import { fragmentIdsIn } from '../config/fragmentImports';
import { registryItemIdsIn } from '../../core/fragments/registryReferences';
import { failedPrecondition, invalid, notFound } from '../errors';
import { partRevisionMessage } from '../messages/machineMessages';
import { isLargeStruct, isLargeText } from '../messages/structField';
import type { RunSteps } from '../server/documentWork';
import { writePartFragments } from '../store/fragmentUses';
import { newId } from '../store/identifiers';
import { microsFromTimestamp } from '../store/micros';
import {
  deletePart,
  findPart,
  insertPart,
  listPartRevisions,
  listParts,
  markMain,
  type PartInLocation,
  replacePart,
} from '../store/parts';
import { requestRestart } from '../store/restarts';
import { writeRegistryUses } from '../store/registryUses';
import { hasLargeTexts, lockRow, type StoreAccess } from '../store/store';
import { describeConfigs, describePart, describePartRow, describeParts } from './describeConfigs';
import { describeConfigStates } from './configStates';
import { createEditorLookup, cutPage, MAX_REVISION_PAGE, revisionPage } from './revisionHistory';
import {
  getCaller,
  checkNotStale,
  toEditor,
  type HandlerDependencies,
  requireName,
  requireNameInUpdate,
  toLargeCall,
  retryOnConflict,
  versionAfter,
} from './handlerSupport';

type PartOperations = Pick<
  ServiceImpl<typeof AppService>,
  | 'getRobotParts'
  | 'getRobotPart'
  | 'getRobotPartHistory'
  | 'updateRobotPart'
  | 'newRobotPart'
  | 'deleteRobotPart'
  | 'markPartAsMain'
  | 'markPartForRestart'
>;

const CONFIGS = { table: 'parts', column: 'config_json' };
const REVISIONS = { table: 'part_revisions', column: 'old_config_json', idColumn: 'part_id' };

/** Handlers for machine parts, their configs, and the histories of these configs (spec part 3). */
export function partHandlers(dependencies: HandlerDependencies): PartOperations {
  const { store, documentWork } = dependencies;
  return {
    async getRobotParts(request, context) {
      const { robotId } = request;
      const texts = { ...CONFIGS, idColumn: 'machine_id', id: robotId };
      const isLarge = await hasLargeTexts(store, texts);
      return documentWork.runSized(isLarge, toLargeCall(context), async () => {
        const rows = await listParts(store, robotId);
        await describeConfigStates(store, rows, context);
        return { parts: await describeParts(dependencies, rows, context) };
      });
    },

    async getRobotPart(request, context) {
      const isLarge = await hasLargeTexts(store, { ...CONFIGS, id: request.id });
      return documentWork.runSized(isLarge, toLargeCall(context), async () => {
        const part = await describePart(dependencies, request.id, context);
        return { part, configJson: part.robotConfigJson ?? '' };
      });
    },

    async getRobotPartHistory(request, context) {
      const { id } = request;
      const isLarge = await hasLargeTexts(store, { ...CONFIGS, id }, { ...REVISIONS, id });
      return documentWork.runSized(isLarge, toLargeCall(context), async () => {
        const part = await get(id);
        const page = {
          ...revisionPage(request.pageToken, request.pageLimit, MAX_REVISION_PAGE),
          start: request.start && microsFromTimestamp(request.start),
          end: request.end && microsFromTimestamp(request.end),
        };
        const rows = await listPartRevisions(store, id, { ...page, limit: page.limit + 1 });
        const { page: shown, nextPageToken } = cutPage(rows, page.limit);
        const now = dependencies.now();
        const editedBy = await createEditorLookup(store, shown);
        return {
          history: await describeConfigs(dependencies, context, shown, {
            getLength: (row) => row.old_config_json.length,
            describe: (row) => partRevisionMessage(row, part, now, editedBy(row)),
            listStructs: ({ old }) => (old ? [[old, RobotPartSchema.field.robotConfig]] : []),
          }),
          nextPageToken,
        };
      });
    },

    async updateRobotPart(request, context) {
      const update = async (run: RunSteps): Promise<{ part: RobotPart }> => {
        const sent = await run(readSentConfig(request));
        let attempts = 0;
        const config = await retryOnConflict(context, async () => {
          attempts += 1;
          const current = await get(request.id);
          const name = requireNameInUpdate(request.name, current.name);
          checkNotStale('part', current, request.lastKnownUpdate);
          const steps = sent && makeDocument(sent, current.config_json);
          // Starting with the third attempt, run in a single step. Running in slices takes longer,
          // so frequent writers would always finish first.
          const document = steps && (attempts < 3 ? await run(steps) : atOnce(steps));
          return (await tryReplace(current, name, document, context)) ? { document } : undefined;
        });
        const row = await get(request.id);
        return { part: await describePartRow(dependencies, row, context, config.document) };
      };
      const { robotConfigJson: text = '', robotConfig: struct } = request;
      const isLarge =
        isLargeText(text) ||
        (struct !== undefined && isLargeStruct(struct)) ||
        (await hasLargeTexts(store, { ...CONFIGS, id: request.id }));
      return documentWork.runSized(isLarge, toLargeCall(context), update);
    },

    async newRobotPart(request) {
      const id = newId();
      const createdAt = dependencies.now();
      const name = requireName(request.partName, 'part_name');
      await store.transaction().execute(async (transaction) => {
        await insertPart(transaction, {
          id,
          machineId: request.robotId,
          name,
          isMain: false,
          createdAt,
        });
        await dependencies.machineSecrets.insert(transaction, 'part', id, createdAt);
      });
      return { partId: id };
    },

    async deleteRobotPart(request) {
      await store.transaction().execute(async (transaction) => {
        const part = await lockedPart(transaction, request.partId);
        if (part.is_main === 1) {
          throw failedPrecondition(
            `part "${part.name}" is the main part of its machine: mark another part as main first, or delete the machine`,
          );
        }
        await deletePart(transaction, request.partId);
      });
      return {};
    },

    async markPartAsMain(request) {
      await store.transaction().execute(async (transaction) => {
        await markMain(transaction, await lockedPart(transaction, request.partId));
      });
      return {};
    },

    async markPartForRestart(request) {
      await requestRestart(store, request.partId, dependencies.now());
      return {};
    },
  };

  async function get(id: string): Promise<PartInLocation> {
    const row = await findPart(store, id);
    if (row === undefined) throw notFound('part', id);
    return row;
  }

  /**
   * Attempts once to overwrite the version that was read. Resolves to false if another caller has
   * since written a version.
   */
  async function tryReplace(
    current: PartInLocation,
    name: string,
    config: ConfigDocument | undefined,
    context: HandlerContext,
  ): Promise<boolean> {
    const isSameConfig = config === undefined || config.text === current.config_json;
    if (isSameConfig && name === current.name) return true;
    const configJson = isSameConfig ? current.config_json : config.text;
    if (isLargeText(configJson)) await documentWork.waitForTurn(context.signal);
    const lastUpdated = versionAfter(current.last_updated, dependencies.now());
    const next = { name, configJson, lastUpdated };
    return store.transaction().execute(async (transaction) => {
      const written = await replacePart(transaction, current, next, toEditor(getCaller(context)));
      if (written && !isSameConfig) {
        await writePartFragments(transaction, current.id, fragmentIdsIn(config.value));
        const uses = registryItemIdsIn(config.value);
        await writeRegistryUses(transaction, { partId: current.id }, uses);
      }
      return written;
    });
  }
}

/** Returns a part, and locks it and its machine's other parts until the commit. */
async function lockedPart(access: StoreAccess, id: string): Promise<PartInLocation> {
  const unlockedPart = await findPart(access, id);
  await lockRow(access, 'machines', unlockedPart?.machine_id ?? '');
  const part = await findPart(access, id);
  if (part === undefined) throw notFound('part', id);
  return part;
}

/**
 * Config as received. The raw text takes precedence over the Struct, which doesn't preserve key
 * order.
 */
interface SentConfig {
  readonly text: string | undefined;
  readonly value: JsonObject;
}

function* readSentConfig(
  request: UpdateRobotPartRequest,
): Generator<undefined, SentConfig | undefined, void> {
  const { robotConfigJson: text, robotConfig: struct } = request;
  if (text === '') {
    throw invalid(
      'robot_config_json: must be a JSON object; omit it to leave the config unchanged',
    );
  }
  if (text !== undefined) {
    const value = parseConfigText(text, 'robot_config_json');
    yield;
    yield* checkConfig(value, 'robot_config_json');
    return { text, value };
  }
  if (struct === undefined) return undefined;
  yield* checkConfig(struct, 'robot_config');
  return { text, value: struct };
}

/** Returns, in small steps, the document that will replace the current config. */
function* makeDocument(
  { text, value }: SentConfig,
  currentText: string,
): Generator<undefined, ConfigDocument, void> {
  if (text !== undefined) return { text, value };
  const current = JSON.parse(currentText) as JsonObject;
  yield;
  const ordered = (yield* restoreKeyOrder(current, value)) as JsonObject;
  if (yield* isSameInOrder(current, ordered)) return { text: currentText, value: current };
  return { text: yield* serializeConfig(ordered, 'robot_config'), value: ordered };
}
