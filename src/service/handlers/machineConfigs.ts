import type { JsonObject } from '@bufbuild/protobuf';
import type { ServiceImpl } from '@connectrpc/connect';
import { parseImports } from '../../core/fragments/fragmentImport';
import { resolveConfig } from '../../core/fragments/resolveConfig';
import type { RobotService } from '../../gen/viam/app/v1/robot_pb';
import { fragmentKey, loadFragments } from '../config/loadFragments';
import { notFound, unimplemented } from '../errors';
import { robotConfigMessage } from '../messages/robotConfigMessage';
import { findPart, recordContact } from '../store/parts';
import { resolvePath } from '../store/resourcePath';
import { measureTexts } from '../store/textSizes';
import { type HandlerDependencies, toLargeCall } from './handlerSupport';
import { withModulePackages } from './modulePackages';

type MachineConfigs = Pick<ServiceImpl<typeof RobotService>, 'config' | 'certificate'>;

/** Handlers for the config that a machine's software loads when it starts. */
export function machineConfigHandlers({
  store,
  machineSecrets,
  documentWork,
  now,
}: HandlerDependencies): MachineConfigs {
  return {
    async config({ id, agentInfo }, context) {
      await recordContact(store, [id], now());
      return documentWork.runMeasured(toLargeCall(context), async (addBytes) => {
        addBytes(await measureTexts(store, { table: 'parts', column: 'config_json', id }));
        const part = await findPart(store, id);
        const path = await resolvePath(store, { type: 'part', id });
        if (part === undefined || path === undefined) {
          throw notFound('part', id);
        }
        const written = JSON.parse(part.config_json) as JsonObject;
        const imports = parseImports(written);
        const fragments = await loadFragments(store, path.organizationId, imports, addBytes);
        const { config } = resolveConfig(written, (fragmentId, version) => {
          const fragment = fragments.get(fragmentKey({ id: fragmentId, version }));
          return fragment && (JSON.parse(fragment.config_json) as JsonObject);
        });
        const { location_id: locationId, machine_id: machineId } = part;
        const own = await machineSecrets.listByOwner(store, 'part', [id]);
        const ofLocation = await machineSecrets.listByOwner(store, 'location', [locationId]);
        const cloud = {
          ...{ id, machineId, locationId, primaryOrgId: path.organizationId },
          secret: own.get(id)?.at(-1)?.secret ?? '',
          locationSecrets: (ofLocation.get(locationId) ?? []).map((row) => ({
            id: row.id,
            secret: row.secret,
          })),
        };
        const revision = String(part.last_updated);
        const machine = { organizationId: path.organizationId, platform: agentInfo?.platform };
        const whole = await withModulePackages(store, machine, config as JsonObject);
        return { config: robotConfigMessage(whole, { revision, cloud }) };
      });
    },

    certificate() {
      throw unimplemented(
        "this service doesn't provide certificates: a part must serve its address with its own certificate",
      );
    },
  };
}
