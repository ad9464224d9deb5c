import { type CallOptions, createClient, type Transport } from '@connectrpc/connect';
import { DataService } from '../../gen/viam/app/data/v1/data_pb';
import { DatasetService } from '../../gen/viam/app/dataset/v1/dataset_pb';
import { AppService } from '../../gen/viam/app/v1/app_pb';
import { fleetMachines, type OpenTransport, signedInTransport } from '../fleet/fleetMachines';
import { Random } from '../random';
import { PartUploads } from '../machines/partUploads';
import { fillImages } from './fillImages';
import {
  addToDataset,
  DEMO_TAG,
  type FillKind,
  type FillPlan,
  getCaptureTime,
  getUploader,
  type TimeSpan,
  type Uploader,
  UPLOADS_AT_ONCE,
} from './fillPlan';
import { fillReadings } from './fillReadings';
import { forEachBounded } from '../../base/bounded';
import { hallScan } from '../clouds/hallScan';
import { encodePcd, PCD_ENCODINGS, PCD_FILE, type PointDetail } from '../clouds/pcd';
import { HALL_SCANNER } from '../machines/machineCaptures';

/** Number of items of each kind. */
export type FillCounts = Readonly<Record<FillKind, number>>;

export interface FillRequest {
  open: OpenTransport;
  /** An owner's API key. */
  key: { id: string; key: string };
  /** ID or name of one of the key's organizations; if absent, the first organization. */
  organization: string | undefined;
  counts: FillCounts;
  /** Maximum number of machines that capture data. */
  machines: number;
  span: TimeSpan;
  /** Random seed. The same seed produces the same captures for the same machines and time span. */
  seed: string;
  signal: AbortSignal;
  /** Called once before anything is uploaded. */
  begun: (target: FillTarget) => void;
  progress: (kind: FillKind, done: number) => void;
}

/** The target of the upload. */
export interface FillTarget {
  organizationName: string;
  /** Names of the machines' main parts. */
  partNames: string[];
}

/**
 * Fills a fleet using only the operations that its machines and users call. If an upload fails,
 * earlier uploads aren't deleted.
 * @throws ConnectError if the service rejects a call or the signal is aborted; Error if the key is
 *   unsuitable.
 */
export async function fillFleet(request: FillRequest): Promise<void> {
  const failure = new AbortController();
  const options = { signal: AbortSignal.any([request.signal, failure.signal]) };
  try {
    const plan = await preparePlan(request, options);
    request.begun({
      organizationName: plan.organizationName,
      partNames: plan.uploaders.map(({ partName }) => partName),
    });
    await fillReadings(plan, request.counts.readings);
    await fillImages(plan, request.counts.images);
    await fillPointClouds(plan, request.counts.pointClouds);
  } finally {
    // Aborts other uploads when one has failed.
    failure.abort();
  }
}

async function preparePlan(
  request: FillRequest,
  options: CallOptions,
): Promise<FillPlan & { organizationName: string }> {
  const { open, key, machines, seed, span, progress } = request;
  const transport = await signedInTransport(open, {
    type: 'api-key',
    entity: key.id,
    payload: key.key,
  });
  const organization = await findOrganization(transport, request.organization, options);
  const app = createClient(AppService, transport);
  const parts = await fleetMachines(app, organization.id, machines, options);
  const uploaders: Uploader[] = [];
  for (const part of parts) {
    uploaders.push({ partName: part.name, uploads: await PartUploads.signIn(open, part) });
  }
  return {
    random: new Random(seed),
    span,
    organizationId: organization.id,
    organizationName: organization.name,
    uploaders,
    data: createClient(DataService, transport),
    datasets: createClient(DatasetService, transport),
    options,
    progress,
  };
}

async function findOrganization(
  transport: Transport,
  idOrName: string | undefined,
  options: CallOptions,
): Promise<{ id: string; name: string }> {
  const { organizations } = await createClient(AppService, transport).listOrganizations(
    {},
    options,
  );
  const found = organizations.find(
    ({ id, name }) => idOrName === undefined || id === idOrName || name === idOrName,
  );
  if (found === undefined) {
    throw new Error(
      idOrName === undefined
        ? 'the key has no organization: use one of an owner of an organization'
        : `the key has no organization "${idOrName}"; it has ${organizations.map(({ name }) => `"${name}"`).join(', ')}`,
    );
  }
  return found;
}

const DATASET = 'Demo data: hall scans';
const MIN_POINTS = 8_000;
const MAX_POINTS = 40_000;
const DETAILS: readonly PointDetail[] = ['rgb', 'intensity'];

/** Uploads point clouds in alternating encodings, and adds them to a dataset. */
async function fillPointClouds(plan: FillPlan, total: number): Promise<void> {
  const ids: string[] = [];
  const indexes = Array.from({ length: total }, (_, index) => index);
  await forEachBounded(indexes, UPLOADS_AT_ONCE, async (index) => {
    const random = plan.random.of(`point cloud ${String(index)}`);
    const encoding = PCD_ENCODINGS[index % PCD_ENCODINGS.length] ?? 'binary';
    const points = random.wholeBetween(MIN_POINTS, MAX_POINTS);
    const cloud = hallScan(random, points, random.pick(DETAILS));
    const at = getCaptureTime(plan.span, random, index, total);
    const content = { at, bytes: encodePcd(cloud, encoding), ...PCD_FILE };
    const { uploads } = getUploader(plan, index);
    ids.push(await uploads.stream(HALL_SCANNER, content, [DEMO_TAG, encoding], plan.options));
    plan.progress('pointClouds', ids.length);
  });
  await addToDataset(plan, DATASET, ids);
}
