import type { TrialImage, TrialJob, TrialMessage } from '../../../../core/model/modelTrial';
import { decodeImage, type RgbaImage } from '../decodeImage';
import { TrainingRejectedError } from '../report';
import { TrialNetwork } from './trialNetwork';

/** Runs a model on images that are received as lines, one after another, until the input ends. */
export async function runTrial(
  { model }: TrialJob,
  lines: AsyncIterableIterator<string>,
  send: (message: TrialMessage) => Promise<void>,
): Promise<void> {
  const network = readNetwork(model);
  if (!network) return send({ kind: 'rejected' });
  await send({ kind: 'ready' });
  for await (const line of lines) {
    const { image } = JSON.parse(line) as TrialImage;
    const picture = tryDecode(Buffer.from(image, 'base64'));
    await send(
      picture
        ? { kind: 'predictions', predictions: network.predict(picture) }
        : { kind: 'unreadable' },
    );
  }
}

function readNetwork(model: TrialJob['model']): TrialNetwork | undefined {
  try {
    return new TrialNetwork(model);
  } catch (error) {
    if (error instanceof TrainingRejectedError) return undefined;
    throw error;
  }
}

function tryDecode(file: Buffer): RgbaImage | undefined {
  try {
    return decodeImage(file);
  } catch {
    // Decoders throw various errors for damaged files.
    return undefined;
  }
}
