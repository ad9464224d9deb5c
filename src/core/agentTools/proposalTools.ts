import { FleetError } from '../api/errors';
import { MAX_NAME_LENGTH, quoteName } from '../confirmations/confirmation';
import { moduleUses, createDeployment, deployModule } from '../modules/deploy/moduleUse';
import { presentJson } from '../documents/jsonText';
import type { FragmentTarget } from '../model/resourceTarget';
import { fragmentId, partId, registryItemId } from '../model/ids';
import { resolvePin } from '../model/versionPin';
import { findPart } from '../stores/findMachines';
import { type AgentTool, type ToolContext, writeTool } from './agentTool';
import { resolvePart } from './configTools';
import { createConflictError, planDocument, PROPOSAL, restoreRedacted } from './planDocument';
import { refreshLocations } from './toolParameters';
import { document, id, object, optional } from './toolSchema';

const CONFIG = document(
  'Complete config as JSON text. Leave every [redacted] value as it is: it stands for the saved value.',
);
const RULES =
  'In VS Code, the proposal opens in the editor with unsaved changes and its differences, and a person saves it. Elsewhere, a person must confirm it first. The confirmation shows the changes and their effects. Returns the diagnostics.';

const proposePartConfig = writeTool({
  name: 'fleetwright_propose_part_config',
  title: 'Propose Part Config',
  description: `Proposes a new config for a part. ${RULES}`,
  permission: 'write_robot',
  right: 'administer',
  input: object({
    partId: id('ID of the part.'),
    version: optional(
      id('version from fleetwright_get_part_config. Required if the service has versions.'),
    ),
    config: CONFIG,
  }),
  output: PROPOSAL,
  rows: 'diagnostics',
  plan: async ({ partId: requestedId, version, config }, context) => {
    const { target, current } = await readPart(context, requestedId);
    if (version !== current.lastUpdated) throw createConflictError();
    const text = restoreRedacted(current.configText, config, context.redactor);
    return planDocument({ target, current, partCount: 0, text }, context);
  },
});

const proposeFragment = writeTool({
  name: 'fleetwright_propose_fragment',
  title: 'Propose Fragment',
  description: `Proposes a new config for a fragment. All parts that use the fragment get the change. ${RULES}`,
  permission: 'write_fragment',
  right: 'administer',
  input: object({
    fragmentId: id('ID of the fragment.'),
    revision: id('revision from fleetwright_get_fragment.'),
    config: CONFIG,
  }),
  output: PROPOSAL,
  rows: 'diagnostics',
  plan: async ({ fragmentId: requestedId, revision, config }, context) => {
    const { stores, signal, connectionId } = context;
    const current = await stores.fragments.get(fragmentId(requestedId), { signal, fresh: true });
    if (current.revision !== revision) throw createConflictError();
    const { id: currentId, organizationId, name, partCount } = current;
    const target: FragmentTarget = {
      kind: 'fragment',
      connectionId,
      organizationId,
      fragmentId: currentId,
      name,
    };
    const text = restoreRedacted(current.configText, config, context.redactor);
    return planDocument({ target, current, partCount, text }, context);
  },
});

const deployModuleVersion = writeTool({
  name: 'fleetwright_deploy_module',
  title: 'Deploy Module Version',
  description: `Proposes a config in which a part runs a version of a module: adds the module, or changes its version. ${RULES}`,
  permission: 'write_robot',
  right: 'administer',
  input: object({
    partId: id('ID of the part.'),
    itemId: id('ID of the module, such as acme:weather.'),
    moduleVersion: id(
      'Version from fleetwright_get_registry_item, or a pin such as latest.',
      MAX_NAME_LENGTH,
    ),
  }),
  output: PROPOSAL,
  rows: 'diagnostics',
  plan: async ({ partId: requestedId, itemId, moduleVersion }, context) => {
    const { stores, signal } = context;
    const { target, current } = await readPart(context, requestedId);
    const item = await stores.registry.get(registryItemId(itemId), { signal, fresh: true });
    const deployment = createDeployment(item, moduleVersion);
    if (item.type !== 'module') {
      throw new FleetError('invalid', 'The registry item is not a module.');
    }
    if (item.visibility === 'private' && item.organizationId !== target.organizationId) {
      throw new FleetError(
        'invalid',
        "The module is private to another organization, so the machine can't run it.",
      );
    }
    if (resolvePin(moduleVersion, deployment.versions) === undefined) {
      throw new FleetError(
        'notFound',
        'The module has no such version. fleetwright_get_registry_item lists its versions.',
      );
    }
    const saved = presentJson(current.configText);
    if (moduleUses(saved, deployment.ids).length === 0) {
      const { config } = await resolvePart(current, context);
      if (moduleUses(config, deployment.ids).length > 0) {
        throw new FleetError(
          'conflict',
          'A fragment adds the module to the part. Propose the version in the fragment, with fleetwright_propose_fragment.',
        );
      }
    }
    const text = deployModule(saved, deployment);
    const module = `${quoteName(item.id)}, version ${quoteName(moduleVersion)}`;
    const summary = [`Deploys the module ${module}.`];
    return planDocument({ target, current, partCount: 0, text, summary }, context);
  },
});

async function readPart(context: ToolContext, requestedId: string) {
  const { stores, signal, connectionId } = context;
  await refreshLocations(context);
  const current = await stores.parts.get(partId(requestedId), { signal, fresh: true });
  const { target } = await findPart(stores, connectionId, current.id);
  return { target, current };
}

export const proposalTools: readonly AgentTool[] = [
  proposePartConfig,
  proposeFragment,
  deployModuleVersion,
];
