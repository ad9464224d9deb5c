import { connector } from '../../src/cli/connect';
import { toConnectionId } from '../../src/core/model/connection';
import { organizationId } from '../../src/core/model/ids';
import { type OrganizationTarget, registryItemTarget } from '../../src/core/model/resourceTarget';
import { findMainPart, machinesIn } from '../../src/core/stores/findMachines';
import type { ServiceProcess } from '../../scripts/support/serviceProcess';
import type { LeakPlan } from './leakPlan';

type Targets = Pick<LeakPlan, 'organization' | 'machine' | 'part' | 'registryItem'>;

/** Finds resources of the demo fleet to show. */
export async function findDemoTargets({
  credentials,
  credentialsFile,
}: ServiceProcess): Promise<Targets> {
  const session = await connector({})({
    credentialsFile,
    url: undefined,
    allowPlainHttp: false,
    authorityFiles: [],
  });
  try {
    const { stores } = session;
    const connectionId = toConnectionId(credentials.apiKeyId);
    const id = organizationId(credentials.organizationId);
    const { name } = await stores.organizations.get(id);
    const organization: OrganizationTarget = {
      kind: 'organization',
      connectionId,
      organizationId: id,
      name,
    };
    const { signal } = new AbortController();
    const [machine] = await machinesIn(stores, organization, signal);
    const part = machine && (await findMainPart(stores, machine.target));
    const [item] = await stores.registry.list(id);
    if (!part || !item) throw new Error('The demo fleet has no machine or no registry item.');
    return {
      organization,
      machine: machine.target,
      part,
      registryItem: registryItemTarget(connectionId, item),
    };
  } finally {
    session.dispose();
  }
}
