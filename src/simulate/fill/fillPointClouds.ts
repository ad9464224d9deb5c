import { forEachBounded } from '../../base/bounded';
import { hallScan } from '../clouds/hallScan';
import { encodePcd, PCD_ENCODINGS, PCD_FILE } from '../clouds/pcd';
import type { PointDetail } from '../clouds/pointCloud';
import { HALL_SCANNER } from '../uploads/hallSources';
import { addToDataset } from './addToDataset';
import { DEMO_TAG, type FillPlan, UPLOADS_AT_ONCE, getUploader } from './fillPlan';
import { getCaptureTime } from './timeSpan';

const DATASET = 'Demo data: hall scans';
const FEWEST_POINTS = 8_000;
const MAX_POINTS = 40_000;
const DETAILS: readonly PointDetail[] = ['rgb', 'intensity'];

/** Uploads point clouds in alternating encodings, and adds them to a dataset. */
export async function fillPointClouds(plan: FillPlan, total: number): Promise<void> {
  const ids: string[] = [];
  const indexes = Array.from({ length: total }, (_, index) => index);
  await forEachBounded(indexes, UPLOADS_AT_ONCE, async (index) => {
    const random = plan.random.of(`point cloud ${String(index)}`);
    const encoding = PCD_ENCODINGS[index % PCD_ENCODINGS.length] ?? 'binary';
    const points = random.wholeBetween(FEWEST_POINTS, MAX_POINTS);
    const cloud = hallScan(random, points, random.pick(DETAILS));
    const at = getCaptureTime(plan.span, random, index, total);
    const content = { at, bytes: encodePcd(cloud, encoding), ...PCD_FILE };
    const { uploads } = getUploader(plan, index);
    ids.push(await uploads.stream(HALL_SCANNER, content, [DEMO_TAG, encoding], plan.options));
    plan.progress('pointClouds', ids.length);
  });
  await addToDataset(plan, DATASET, ids);
}
