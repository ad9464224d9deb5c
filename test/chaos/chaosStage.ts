import { randomBytes } from 'node:crypto';
import { NatsTestServer } from '../support/natsServer';
import { objectStoreForTests } from '../support/objectStore';
import { postgresForTests } from '../support/postgres';
import { ServiceProgram } from '../support/serviceProgram';
import { waitUntil } from '../support/waitUntil';
import { ChaosNode } from './chaosNode';
import { Link } from './link';

const KEY_BYTES = 32;

/** Two running nodes, with the servers that they use and the links to them. */
export interface Stage extends AsyncDisposable {
  readonly nodes: readonly ChaosNode[];
  readonly nats: NatsTestServer;
  readonly natsLink: Link;
  readonly bucketLink: Link;
  /** URL of the database, without a link that could be cut. */
  readonly databaseUrl: string;
}

export async function openStage(): Promise<Stage> {
  process.env.FLEETWRIGHT_SECRETS_KEY = randomBytes(KEY_BYTES).toString('base64');
  const stack = new AsyncDisposableStack();
  const program = stack.use(await ServiceProgram.build());
  const nats = stack.use(await NatsTestServer.start());
  const bucketUrl = await (await objectStoreForTests()).createBucket();
  const postgres = await postgresForTests();
  stack.defer(() => postgres.stop());
  const databaseUrl = await postgres.url();
  const endpoint = new URL(bucketUrl).searchParams.get('endpoint') ?? '';
  const bucketLink = stack.use(await Link.toUrl(endpoint));
  const natsLink = stack.use(await Link.toUrl(nats.url));
  const objects = new URL(bucketUrl);
  objects.searchParams.set('endpoint', new URL(bucketLink.rewrite(endpoint)).origin);

  const nodes: ChaosNode[] = [];
  for (const _ of [0, 1]) {
    const databaseLink = stack.use(await Link.toUrl(databaseUrl));
    const options = [
      ...['--data', program.path(), '--database-url', databaseLink.rewrite(databaseUrl)],
      ...['--objects', objects.href, '--nats-url', natsLink.rewrite(nats.url)],
      ...['--log-level', 'warn'],
    ];
    const node = new ChaosNode(program, options, databaseLink);
    stack.defer(() => node.close());
    nodes.push(node);
  }
  await waitUntil(() => nodes.every(({ connection }) => connection !== undefined));
  return {
    nodes,
    nats,
    natsLink,
    bucketLink,
    databaseUrl,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}
