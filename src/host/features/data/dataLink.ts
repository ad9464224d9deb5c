import type { Connection } from '../../../core/model/connection';
import { type DataFilter, isDataFilter } from '../../../shared/data/dataFilter';
import { type DataTab, isDataTab } from '../../../shared/data/dataTabs';
import { isShape, isString, parsedAs } from '../../../shared/guards';
import type { BrowsableTarget } from '../../../manifest/commands';
import {
  type DescribedPanel,
  isStoredTarget,
  storedTarget,
  type StoredTarget,
  targetOf,
} from './panelDescription';

/** `<publisher>.<name>` of package.json, by which VS Code finds whom a link is for. */
const EXTENSION = 'fleetwright.fleetwright';
const PATH = '/data';
const PARAMETER = 'view';
/** What systems hand on of a link, about; and one comes from anywhere. */
const LONGEST = 32_768;

/** What a data panel shows, for somebody with a key of their own. */
export interface DataView {
  readonly target: BrowsableTarget;
  readonly filter: DataFilter;
  readonly tab: DataTab;
}

/** What a panel begins with. */
export interface PanelStart extends DataView, DescribedPanel {}

interface LinkedView {
  /** Address of the service. */
  readonly service: string;
  readonly target: StoredTarget;
  readonly filter: DataFilter;
  readonly tab: DataTab;
}

const isLinkedView = isShape<LinkedView>({
  service: isString,
  target: isStoredTarget,
  filter: isDataFilter,
  tab: isDataTab,
});

/**
 * A link that opens the same view in VS Code; nothing when the view says more than a link takes. It holds
 * ids and names, and nothing that signs in.
 */
export function dataLink(
  scheme: string,
  { target, filter, tab, service }: DataView & { readonly service: string },
): string | undefined {
  const linked: LinkedView = { filter, tab, service, target: storedTarget(target) };
  const text = Buffer.from(JSON.stringify(linked)).toString('base64url');
  if (text.length > LONGEST) return undefined;
  return `${scheme}://${EXTENSION}${PATH}?${PARAMETER}=${text}`;
}

/** What a link asks for; nothing when it is none of these. */
export function linkedView(path: string, query: string): LinkedView | undefined {
  const text = new URLSearchParams(query).get(PARAMETER);
  if (path !== PATH || text === null || text.length > LONGEST) return undefined;
  return parsedAs(Buffer.from(text, 'base64url').toString('utf8'), isLinkedView);
}

/** The same view through a connection to the link's service, the active one first. */
export function viewThrough(
  { service, target, filter, tab }: LinkedView,
  connections: readonly (Connection | undefined)[],
): DataView | undefined {
  const connection = connections.find((one) => one?.baseUrl === service);
  const whole = connection && targetOf(connection.id, target);
  return whole && { target: whole, filter, tab };
}
