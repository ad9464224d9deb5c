import type { TrialImage, TrialJob, TrialMessage } from '../../../../core/model/modelTrial';
import { Refusal } from '../report';
import { TrialNetwork } from './trialNetwork';

/** Runs a model on the images that come as lines, one after the other, until there are no more. */
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
    await send(answerTo(network, Buffer.from(image, 'base64')));
  }
}

function readNetwork(model: TrialJob['model']): TrialNetwork | undefined {
  try {
    return new TrialNetwork(model);
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

function answerTo(network: TrialNetwork, file: Buffer): TrialMessage {
  try {
    return { kind: 'predictions', predictions: network.predict(file) };
  } catch {
    // Decoders throw errors of any kind at damaged files.
    return { kind: 'unreadable' };
  }
}
