import type {
  AppClient,
  DataClient,
  DatasetClient,
  OpenTransport,
  PackageClient,
} from './demoClient';
import type { Pending } from './story';

/** What the stories of all companies share. */
export interface Stage {
  now: Date;
  /** The owner of every organization. */
  owner: AppClient;
  /** The owner's operations on captured data. */
  data: DataClient;
  datasets: DatasetClient;
  packages: PackageClient;
  open: OpenTransport;
  fragments: Map<string, Pending>;
  /** Organizations by the names of the companies. */
  companies: Map<string, Pending>;
  /** Parts of machines by their names. */
  parts: Map<string, Pending>;
  /** Parts that call the service from now on. */
  liveParts: Pending[];
  /** Notes that a part called; a story has no machines that could. */
  recordContact(partId: string): Promise<void>;
  /** Somebody logs in with this address; a story has no people who could. */
  logIn(email: string): Promise<void>;
}
