import { FleetError } from '../api/errors';
import { forEachBounded } from '../../base/bounded';
import type { Permission, RoleScope } from '../model/permissions';
import type { FleetStores } from '../stores/fleetStores';
import type { AgentTool } from './agentTool';
import { configTools } from './configTools';
import { dataTools } from './dataTools';
import { fleetTools } from './fleetTools';
import { imageTools } from './imageTools';
import { itemWriteTools } from './itemWriteTools';
import { logTools } from './logTools';
import { operationTools } from './operationTools';
import { permissionTools } from './permissionTools';
import { proposalTools } from './proposalTools';
import { registryTools } from './registryTools';
import { resultTools } from './resultTools';
import { searchTools } from './searchTools';
import { trainingTools } from './trainingTools';
import { workspaceTools } from './workspaceTools';

/**
 * All tools for agents. Each is defined once, for the command line's MCP server and for VS Code. The
 * tools that change something come last.
 */
export const agentTools: readonly AgentTool[] = [
  ...searchTools,
  ...fleetTools,
  ...configTools,
  ...logTools,
  ...dataTools,
  ...imageTools,
  ...trainingTools,
  ...registryTools,
  ...permissionTools,
  ...resultTools,
  ...proposalTools,
  ...operationTools,
  ...itemWriteTools,
  ...workspaceTools,
];

/** Returns the tool with a name. @throws FleetError `unsupported` if there is none */
export function findTool(name: string): AgentTool {
  const tool = agentTools.find((one) => one.name === name);
  if (tool) return tool;
  throw new FleetError('unsupported', `There is no tool with the name ${name}.`);
}

/** Maximum number of resources whose permissions are checked to find out which tools to list. */
const MAX_CHECKED = 500;
const CONCURRENT_LISTS = 8;

/**
 * Returns the tools that the API key can use on at least one resource. Returns all tools if this is
 * unknown, because permissions are checked anyway when a tool is called.
 *
 * @param allowsWrites false to exclude the tools that change something
 */
export async function listPermittedTools(
  stores: FleetStores,
  signal: AbortSignal,
  allowsWrites: boolean,
): Promise<readonly AgentTool[]> {
  const tools = agentTools.filter(({ operation }) => operation !== 'write' || allowsWrites);
  const needed = new Set(tools.flatMap(({ permission }) => permission ?? []));
  try {
    const granted = await findPermissions(stores, needed, signal);
    return tools.filter(({ permission }) => !permission || granted.has(permission));
  } catch (error) {
    if (signal.aborted) throw error;
    return tools;
  }
}

async function findPermissions(
  stores: FleetStores,
  needed: ReadonlySet<Permission>,
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const granted = new Set<string>();
  /** Returns true if there is nothing left to find. */
  const check = async (scopes: readonly RoleScope[]): Promise<boolean> => {
    if (scopes.length > MAX_CHECKED) throw new Error('There are too many resources to check.');
    for (const permissions of await stores.access.getPermissions(scopes)) {
      for (const permission of permissions) granted.add(permission);
    }
    return [...needed].every((permission) => granted.has(permission));
  };
  const organizations = await stores.organizations.list({ signal });
  if (await check(organizations.map(({ id }) => ({ type: 'organization', id })))) return granted;
  const locations = (
    await Promise.all(organizations.map(({ id }) => stores.locations.list(id, { signal })))
  ).flat();
  if (await check(locations.map(({ id }) => ({ type: 'location', id })))) return granted;
  const machines: string[] = [];
  await forEachBounded(locations.slice(0, MAX_CHECKED), CONCURRENT_LISTS, async ({ id }) => {
    machines.push(...(await stores.machines.list(id, { signal })).map((machine) => machine.id));
  });
  await check(machines.map((id) => ({ type: 'robot', id })));
  return granted;
}
