import type {
  AppClient,
  DataClient,
  DatasetClient,
  OpenTransport,
  PackageClient,
} from './demoClient';
import type { Pending } from './story';

/** Shared context of all companies. */
export interface Stage {
  now: Date;
  /** Client of the user who owns all organizations. */
  owner: AppClient;
  /** Captured data client for the same owner. */
  data: DataClient;
  datasets: DatasetClient;
  packages: PackageClient;
  open: OpenTransport;
  fragments: Map<string, Pending>;
  /** Organizations by company name. */
  companies: Map<string, Pending>;
  /** Machine parts by name. */
  parts: Map<string, Pending>;
  /** Parts that call the service from now on. */
  liveParts: Pending[];
  /** Records a contact of a part, because no real machine calls the service. */
  recordContact(partId: string): Promise<void>;
  /** Records a login with this email address, because no real user logs in. */
  logIn(email: string): Promise<void>;
}
