import type { JsonObject } from '@bufbuild/protobuf';
import type { ServiceImpl } from '@connectrpc/connect';
import { atOnce } from '../../base/slices';
import type { AppService } from '../../gen/viam/app/v1/app_pb';
import {
  type RobotPart,
  RobotPartSchema,
  type UpdateRobotPartRequest,
} from '../../gen/viam/app/v1/machine_pb';
import { may } from '../auth/authorizer';
import { checkConfig } from '../config/configRules';
import {
  type ConfigDocument,
  serializeConfig,
  restoreKeyOrder,
  isSameInOrder,
  parseConfigText,
} from '../config/configText';
import { listImportedIds } from '../../core/fragments/fragmentImport';
import { registryItemIdsIn } from '../../core/fragments/registryReferences';
import { failedPrecondition, invalid, notFound } from '../errors';
import { partRevisionMessage } from '../messages/machineMessages';
import { isLargeStruct, isLargeText } from '../messages/structField';
import type { RunSteps } from '../server/documentWork';
import { writePartFragments } from '../store/fragmentUses';
import { newId } from '../store/identifiers';
import {
  deletePart,
  findPart,
  insertPart,
  listParts,
  markMain,
  type PartInLocation,
} from '../store/parts';
import { requestRestart } from '../store/restarts';
import { writeRegistryUses } from '../store/registryUses';
import { hasLargeTexts, lockRow, type StoreAccess } from '../store/store';
import { describePart, describePartRow, describeParts } from './describeConfigs';
import { describeConfigStates } from './configStates';
import { ConfigVersions } from './configVersions';
import {
  getCaller,
  getResourcePath,
  type HandlerDependencies,
  requireName,
  toLargeCall,
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

/** Handlers for machine parts, their configs, and the histories of these configs (spec part 3). */
export function partHandlers(dependencies: HandlerDependencies): PartOperations {
  const { store, documentWork } = dependencies;
  const versions = new ConfigVersions<'part', PartInLocation>(dependencies, {
    kind: 'part',
    find: findPart,
    writeUses: async (transaction, partId, config) => {
      await writePartFragments(transaction, partId, listImportedIds(config));
      await writeRegistryUses(transaction, { partId }, registryItemIdsIn(config));
    },
  });
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
      const isLarge = await versions.isLarge(request.id);
      return documentWork.runSized(isLarge, toLargeCall(context), async () => {
        const part = await describePart(dependencies, request.id, context);
        return { part, configJson: part.robotConfigJson ?? '' };
      });
    },

    async getRobotPartHistory(request, context) {
      const now = dependencies.now();
      // A share grants access to the machine, but not to the accounts of its organization.
      const unshared = { ...getResourcePath(context), sharedWith: [] };
      return versions.listHistory(request, context, {
        withEditors: may(getCaller(context), 'read_robot_history', unshared),
        describe: (revision, part, editedBy) => partRevisionMessage(revision, part, now, editedBy),
        listStructs: ({ old }) => (old ? [[old, RobotPartSchema.field.robotConfig]] : []),
      });
    },

    async updateRobotPart(request, context) {
      const update = async (run: RunSteps): Promise<{ part: RobotPart }> => {
        const sent = await run(readSentConfig(request));
        const { row, document } = await versions.update(
          request,
          context,
          async (current, attempt) => {
            const steps = sent && makeDocument(sent, current.config_json);
            // Starting with the third attempt, run in a single step. Running in slices takes longer,
            // so frequent writers would always finish first.
            return { document: steps && (attempt < 3 ? await run(steps) : atOnce(steps)) };
          },
        );
        return { part: await describePartRow(dependencies, row, context, document) };
      };
      const { robotConfigJson: text = '', robotConfig: struct } = request;
      const isLarge =
        isLargeText(text) ||
        (struct !== undefined && isLargeStruct(struct)) ||
        (await versions.isLarge(request.id));
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
