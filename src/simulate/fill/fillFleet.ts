import { type CallOptions, createClient, type Transport } from '@connectrpc/connect';
import { DataService } from '../../gen/viam/app/data/v1/data_pb';
import { DatasetService } from '../../gen/viam/app/dataset/v1/dataset_pb';
import { AppService } from '../../gen/viam/app/v1/app_pb';
import { fleetMachines } from '../fleet/fleetMachines';
import { type OpenTransport, signedInTransport } from '../fleet/signedInTransport';
import { Random } from '../random';
import { PartUploads } from '../uploads/partUploads';
import { fillImages } from './fillImages';
import { type FillKind, type FillPlan, type Uploader } from './fillPlan';
import { fillPointClouds } from './fillPointClouds';
import { fillReadings } from './fillReadings';
import type { TimeSpan } from './timeSpan';

/** How much of each kind. */
export type FillCounts = Readonly<Record<FillKind, number>>;

export interface FillRequest {
  open: OpenTransport;
  /** An owner's API key. */
  key: { id: string; key: string };
  /** The id or the name of one of the key's organizations; absent, the first of them. */
  organization: string | undefined;
  counts: FillCounts;
  /** At most so many machines capture. */
  machines: number;
  span: TimeSpan;
  /** The same seed makes the same captures of the same machines in the same span. */
  seed: string;
  signal: AbortSignal;
  /** Called once before anything is uploaded. */
  begun: (target: FillTarget) => void;
  progress: (kind: FillKind, done: number) => void;
}

/** What is filled. */
export interface FillTarget {
  organizationName: string;
  /** Names of the main parts. */
  partNames: string[];
}

/**
 * Fills a fleet through the operations that its machines and people call, and nothing else. What was
 * uploaded before a failure stays.
 * @throws ConnectError when the service refuses or the signal aborts, Error for a key that does not
 *   suit.
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
    // Ends what other uploads are still about when one has failed.
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
  wanted: string | undefined,
  options: CallOptions,
): Promise<{ id: string; name: string }> {
  const { organizations } = await createClient(AppService, transport).listOrganizations(
    {},
    options,
  );
  const found = organizations.find(
    ({ id, name }) => wanted === undefined || id === wanted || name === wanted,
  );
  if (found === undefined) {
    throw new Error(
      wanted === undefined
        ? 'the key has no organization: use one of an owner of an organization'
        : `the key has no organization "${wanted}"; it has ${organizations.map(({ name }) => `"${name}"`).join(', ')}`,
    );
  }
  return found;
}
