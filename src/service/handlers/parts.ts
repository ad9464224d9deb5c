import type { JsonObject } from '@bufbuild/protobuf';
import type { ServiceImpl } from '@connectrpc/connect';
import type { AppService } from '../../gen/viam/app/v1/app_pb';
import type { UpdateRobotPartRequest } from '../../gen/viam/app/v1/machine_pb';
import type { Principal } from '../auth/principal';
import { checkConfig } from '../config/configRules';
import { configTextOf, inOrderOf, parseConfigText, sameConfig } from '../config/configText';
import { fragmentIdsOf } from '../config/fragmentImports';
import { registryItemIdsOf } from '../../core/fragments/registryReferences';
import { failedPrecondition, invalid, notFound } from '../errors';
import { partRevisionMessage } from '../messages/machineMessages';
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
import { lockRow } from '../store/rowLocks';
import type { StoreAccess } from '../store/store';
import { editorsOf } from './editors';
import {
  callerOf,
  checkNotStale,
  editorOf,
  type HandlerDependencies,
  requireName,
  requireNameInUpdate,
  untilWritten,
  versionAfter,
} from './handlerSupport';
import { describePart, describeParts } from './partDescriptions';
import { cutPage, MAX_REVISION_PAGE, revisionPage } from './revisionPages';

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

/** Parts of machines, their configs and what these were before (spec part 3). */
export function partHandlers(dependencies: HandlerDependencies): PartOperations {
  const { store } = dependencies;
  return {
    async getRobotParts(request, context) {
      const rows = await listParts(store, request.robotId);
      const parts = await describeParts(dependencies, rows, context);
      return { parts };
    },

    async getRobotPart(request, context) {
      const part = await describePart(dependencies, request.id, context);
      return { part, configJson: part.robotConfigJson ?? '' };
    },

    async getRobotPartHistory(request) {
      const part = await get(request.id);
      const page = {
        ...revisionPage(request.pageToken, request.pageLimit, MAX_REVISION_PAGE),
        start: request.start && microsFromTimestamp(request.start),
        end: request.end && microsFromTimestamp(request.end),
      };
      const rows = await listPartRevisions(store, request.id, { ...page, limit: page.limit + 1 });
      const { page: shown, nextPageToken } = cutPage(rows, page.limit);
      const now = dependencies.now();
      const editedBy = await editorsOf(store, shown);
      return {
        history: shown.map((row) => partRevisionMessage(row, part, now, editedBy(row))),
        nextPageToken,
      };
    },

    async updateRobotPart(request, context) {
      const principal = callerOf(context);
      const sent = sentConfig(request);
      await untilWritten(context, () => tryUpdate(request, sent, principal));
      return { part: await describePart(dependencies, request.id, context) };
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
    if (row === undefined) {
      throw notFound('part', id);
    }
    return row;
  }

  /** One attempt to write over the version that is there now; false when it moved in the meantime. */
  async function tryUpdate(
    request: UpdateRobotPartRequest,
    sent: SentConfig | undefined,
    principal: Principal,
  ): Promise<boolean> {
    const current = await get(request.id);
    const name = requireNameInUpdate(request.name, current.name);
    checkNotStale('part', current, request.lastKnownUpdate);
    const configJson = sent === undefined ? current.config_json : textToStore(sent, current);
    if (configJson === current.config_json && name === current.name) {
      return true;
    }
    const next = {
      name,
      configJson,
      lastUpdated: versionAfter(current.last_updated, dependencies.now()),
    };
    return store.transaction().execute(async (transaction) => {
      const written = await replacePart(transaction, current, next, editorOf(principal));
      if (written && configJson !== current.config_json) {
        await writePartFragments(transaction, current.id, fragmentIdsOf(configJson));
        await writeRegistryUses(transaction, { partId: current.id }, registryItemIdsOf(configJson));
      }
      return written;
    });
  }
}

/** A part that stays as it is read, with the other parts of its machine, until the commit. */
async function lockedPart(access: StoreAccess, id: string): Promise<PartInLocation> {
  const place = await findPart(access, id);
  await lockRow(access, 'machines', place?.machine_id ?? '');
  const part = await findPart(access, id);
  if (part === undefined) {
    throw notFound('part', id);
  }
  return part;
}

/** A config as it arrived: the raw text wins over the Struct, which knows no order of keys. */
type SentConfig = { text: string } | { value: JsonObject };

function sentConfig(request: UpdateRobotPartRequest): SentConfig | undefined {
  if (request.robotConfigJson !== undefined && request.robotConfigJson !== '') {
    checkConfig(parseConfigText(request.robotConfigJson, 'robot_config_json'), 'robot_config_json');
    return { text: request.robotConfigJson };
  }
  if (request.robotConfigJson === '') {
    throw invalid(
      'robot_config_json: must be a JSON object; omit it to leave the config unchanged',
    );
  }
  if (request.robotConfig === undefined) {
    return undefined;
  }
  checkConfig(request.robotConfig, 'robot_config');
  return { value: request.robotConfig };
}

function textToStore(sent: SentConfig, current: PartInLocation): string {
  if ('text' in sent) {
    return sent.text;
  }
  const before = JSON.parse(current.config_json) as JsonObject;
  return sameConfig(before, sent.value)
    ? current.config_json
    : configTextOf(inOrderOf(before, sent.value) as JsonObject, 'robot_config');
}
