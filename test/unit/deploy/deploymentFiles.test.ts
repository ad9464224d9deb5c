import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { parse, parseAllDocuments } from 'yaml';
import { programEntries } from '../../../scripts/support/bundles';
import { fromRoot } from '../../../scripts/support/paths';
import { type Command, HELP, parseCommandLine } from '../../../src/service/process/commandLine';
import { PROBE_PATHS } from '../../../src/service/server/rateLimits';

const DATA = '/var/lib/fleetwright';
const UNIT_OPTIONS = 'FLEETWRIGHT_OPTIONS';
const probePaths: readonly string[] = Object.values(PROBE_PATHS);

const read = (name: string): string => readFileSync(fromRoot('deploy', name), 'utf8');

/** Replaces variables such as `${NAME:?required}` with an example. */
const fill = (text: string): string => text.replaceAll(/\$\{(\w+):\?required\}/g, 'example.com');

/** Parses the arguments of the program as the service does, which rejects unknown options. */
function parseService(args: readonly string[]): Extract<Command, { kind: 'serve' }> {
  const command = parseCommandLine(args.map(fill), {});
  assert.ok(command.kind === 'serve');
  return command;
}

/** Fails if objects have properties that aren't in a list, such as misspelled ones. */
function assertProperties(value: object, known: string): void {
  const unknown = Object.keys(value).filter((key) => !known.split(' ').includes(key));
  assert.deepEqual(unknown, []);
}

/** Returns the lines of a unit that set a property. */
function findSettings(unit: string, name: string): string[] {
  return [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value);
}

describe('deployment files', () => {
  it('name only environment variables that the service documents', () => {
    for (const file of readdirSync(fromRoot('deploy'))) {
      for (const [name] of read(file).matchAll(/\b(?:FLEETWRIGHT|OTEL)_[A-Z_]+\b/g)) {
        assert.ok(HELP.includes(name) || name === UNIT_OPTIONS, `${file}: ${name}`);
      }
    }
  });
});

describe('the Dockerfile', () => {
  const dockerfile = read('Dockerfile').replaceAll(/\\\n\s*/g, '');
  const readJson = (instruction: string): string[] => {
    const [, json = ''] = new RegExp(`^\\s*${instruction} (\\[.*\\])$`, 'm').exec(dockerfile) ?? [];
    return JSON.parse(json) as string[];
  };

  it('starts the service with options that it has, and checks the port that it opens', () => {
    const [node, program] = readJson('ENTRYPOINT');
    assert.deepEqual([node, program], ['node', '/app/dist/service.js']);
    const { host, port, dataDirectory } = parseService(readJson('CMD'));
    assert.deepEqual([host, dataDirectory], ['0.0.0.0', DATA]);
    assert.match(dockerfile, new RegExp(`^EXPOSE ${String(port)}$`, 'm'));
    const [url = ''] = /http:[^']+/.exec(dockerfile.split('HEALTHCHECK')[1] ?? '') ?? [];
    assert.equal(new URL(url).port, String(port));
    assert.equal(new URL(url).pathname, PROBE_PATHS.liveness);
    const { node: version } = process.versions;
    assert.equal(dockerfile.match(/^FROM (\S+)/gm)?.length, 2);
    for (const [, base] of dockerfile.matchAll(/^FROM (\S+)/gm)) {
      assert.equal(base, `node:${version.split('.', 1)[0]}-bookworm-slim`);
    }
  });

  it('copies the programs of the service, what they load, and nothing that does not exist', () => {
    const sources = [...dockerfile.matchAll(/cp (?:-R )?(.*?) \/app\S*/g)].flatMap(
      ([, names = '']) => names.split(' '),
    );
    const built = sources.filter((path) => path.startsWith('dist/'));
    assert.deepEqual(built.sort(), [
      'dist/THIRD_PARTY_NOTICES.txt',
      'dist/chunks',
      'dist/queryProcess.js',
      'dist/service.js',
      'dist/trainingProcess.js',
    ]);
    for (const name of ['service', 'queryProcess', 'trainingProcess']) {
      assert.ok(name in programEntries);
    }
    for (const path of sources.filter((name) => !name.startsWith('dist/'))) {
      assert.ok(existsSync(fromRoot(path)), path);
    }
    const listed = read('Dockerfile.dockerignore').match(/(?<=^!)[^*\n]+$/gm) ?? [];
    assert.ok(listed.length > 0);
    for (const path of listed) assert.ok(existsSync(fromRoot(path)), path);
  });
});

describe('the systemd unit', () => {
  const unit = read('fleetwright.service');

  it('starts the service with options that it has, in a folder that it can write', () => {
    const [start = '', ...others] = findSettings(unit, 'ExecStart');
    assert.deepEqual(others, []);
    const [node, program, ...args] = start.split(' ');
    assert.deepEqual([node, program], ['/usr/bin/node', '/opt/fleetwright/dist/service.js']);
    assert.equal(args.pop(), `$${UNIT_OPTIONS}`);
    assert.equal(parseService(args).dataDirectory, DATA);
    assert.deepEqual(findSettings(unit, 'StateDirectory'), ['fleetwright']);
    assert.ok(existsSync(fromRoot('README.md')));
  });

  it('documents options that the service has', () => {
    const options = [...unit.matchAll(/--[a-z-]+/g)].map(([name]) => name);
    assert.ok(options.includes('--tls-cert'));
    for (const option of options) assert.ok(HELP.includes(`${option} `), option);
  });
});

interface ComposeService {
  image: string;
  build?: { context: string; dockerfile: string };
  command?: string[];
  environment?: Record<string, string>;
  networks?: string[];
  volumes?: string[];
  depends_on?: string[] | Record<string, { condition: string }>;
}

interface Compose {
  services: Record<string, ComposeService>;
  networks: Record<string, { ipam?: { config: { subnet: string }[] } } | null>;
  volumes: Record<string, null>;
}

describe('the Compose file', () => {
  const text = read('compose.yaml');
  const compose = parse(text, { merge: true }) as Compose;
  const nodes = Object.entries(compose.services).filter(([, { build }]) => build !== undefined);

  it('has only properties of the Compose specification, and names that it defines', () => {
    assertProperties(compose, 'x-node services networks volumes');
    for (const [name, service] of Object.entries(compose.services)) {
      assertProperties(
        service,
        'image build command entrypoint environment networks depends_on read_only tmpfs cap_drop ' +
          'security_opt init restart stop_grace_period mem_limit volumes ports healthcheck',
      );
      const { networks = [], volumes = [], depends_on: others = [] } = service;
      for (const network of networks) assert.ok(network in compose.networks, network);
      for (const [, volume = ''] of volumes.map((mount) => /^([\w-]+):/.exec(mount) ?? [])) {
        assert.ok(volume === '' || volume in compose.volumes, volume);
      }
      for (const other of Array.isArray(others) ? others : Object.keys(others)) {
        assert.ok(other in compose.services, `${name} depends on ${other}`);
      }
    }
    const [comment = ''] = text.split('\nx-node:');
    for (const [, variable = ''] of text.matchAll(/\$\{(\w+):\?required\}/g)) {
      assert.ok(comment.includes(`${variable}=`), variable);
    }
  });

  it('starts two nodes with options and variables that the service has', () => {
    assert.equal(nodes.length, 2);
    const [{ subnet } = { subnet: '' }] = compose.networks.front?.ipam?.config ?? [];
    for (const [name, { command = [], environment = {}, volumes, build }] of nodes) {
      const { trustedProxies, dataDirectory, objects, port } = parseService(command);
      assert.deepEqual(trustedProxies, [subnet]);
      assert.equal(dataDirectory, DATA);
      assert.deepEqual(volumes, [`${name}:${DATA}`]);
      assert.ok(typeof objects === 'object');
      assert.equal(new URL(objects.location.endpoint ?? '').hostname, 'objects');
      for (const variable of Object.keys(environment)) assert.ok(HELP.includes(variable), variable);
      assert.equal(build?.dockerfile, 'deploy/Dockerfile');
      assert.ok(read('Caddyfile').includes(`h2c://${name}:${String(port)}`));
    }
  });

  it('has a proxy that checks the readiness of the nodes faster than they shut down', () => {
    const caddyfile = read('Caddyfile');
    const [, path] = /health_uri (\S+)/.exec(caddyfile) ?? [];
    assert.equal(path, PROBE_PATHS.readiness);
    // The nodes reject their own names, which Caddy would otherwise use as the host of its checks.
    assert.match(caddyfile, /health_headers \{\s*Host \{\$FLEET_HOST\}/);
    const [, seconds] = /health_interval (\d+)s/.exec(caddyfile) ?? [];
    const { shutdownDelayMs = 0 } = parseService(nodes[0]?.[1].command ?? []);
    assert.ok(shutdownDelayMs > Number(seconds) * 1_000);
  });
});

interface Probe {
  httpGet: { path: string; port: string };
}

interface Container {
  args: string[];
  env: { name: string; valueFrom: { secretKeyRef: { name: string; key: string } } }[];
  ports: { name: string; containerPort: number }[];
  startupProbe: Probe;
  livenessProbe: Probe;
  readinessProbe: Probe;
  resources: object;
  securityContext: { readOnlyRootFilesystem: boolean; allowPrivilegeEscalation: boolean };
  volumeMounts: { name: string; mountPath: string }[];
}

interface Labels {
  matchLabels: Record<string, string>;
}

interface Manifest {
  kind: string;
  metadata: { name: string };
  spec: {
    selector: Labels & Record<string, string>;
    podSelector: Labels;
    ports: { port: number; targetPort: string }[];
    ingress: { ports: { port: string }[] }[];
    template: {
      metadata: { labels: Record<string, string> };
      spec: {
        containers: Container[];
        volumes: { name: string }[];
        securityContext: { runAsNonRoot: boolean };
        terminationGracePeriodSeconds: number;
      };
    };
  };
}

describe('the Kubernetes manifests', () => {
  const text = read('kubernetes.yaml');
  const manifests = parseAllDocuments(text).map((document) => {
    assert.deepEqual(document.errors, []);
    return document.toJS() as Manifest;
  });
  const find = (kind: string): Manifest =>
    manifests.find((manifest) => manifest.kind === kind) ?? assert.fail(`no ${kind}`);
  const { template } = find('Deployment').spec;
  const [container = assert.fail('no container')] = template.spec.containers;

  it('have only properties of their kinds', () => {
    const specs: Record<string, string> = {
      Deployment: 'replicas selector strategy template',
      Service: 'selector ports',
      PodDisruptionBudget: 'minAvailable selector',
      NetworkPolicy: 'podSelector policyTypes ingress egress',
    };
    assert.deepEqual(manifests.map(({ kind }) => kind).sort(), Object.keys(specs).sort());
    for (const manifest of manifests) {
      assertProperties(manifest, 'apiVersion kind metadata spec');
      assertProperties(manifest.spec, specs[manifest.kind] ?? '');
    }
    assertProperties(
      template.spec,
      'automountServiceAccountToken terminationGracePeriodSeconds securityContext ' +
        'topologySpreadConstraints containers volumes',
    );
    assertProperties(
      container,
      'name image args env ports startupProbe livenessProbe readinessProbe resources ' +
        'securityContext volumeMounts',
    );
  });

  it('select the pods of the deployment', () => {
    const { labels } = template.metadata;
    for (const kind of ['Deployment', 'PodDisruptionBudget']) {
      assert.deepEqual(find(kind).spec.selector.matchLabels, labels);
    }
    assert.deepEqual(find('Service').spec.selector, labels);
    assert.deepEqual(find('NetworkPolicy').spec.podSelector.matchLabels, labels);
  });

  it('start the service with options, variables and secrets that exist', () => {
    const command = parseService(container.args);
    const { dataDirectory, port, metrics, shutdownDelayMs = 0 } = command;
    assert.equal(dataDirectory, DATA);
    assert.deepEqual(
      container.ports.map(({ containerPort }) => containerPort),
      [port, metrics?.port],
    );
    for (const { name, valueFrom } of container.env) {
      assert.ok(HELP.includes(name), name);
      assert.ok(text.includes(`--from-literal=${valueFrom.secretKeyRef.key}=`), name);
    }
    const { terminationGracePeriodSeconds } = template.spec;
    assert.ok(terminationGracePeriodSeconds * 1_000 >= shutdownDelayMs + 10_000);
    assert.ok(template.spec.securityContext.runAsNonRoot);
    assert.ok(container.securityContext.readOnlyRootFilesystem);
    assert.deepEqual(
      container.volumeMounts.map(({ mountPath }) => mountPath),
      [DATA, '/tmp'],
    );
    assert.deepEqual(
      container.volumeMounts.map(({ name }) => name),
      template.spec.volumes.map(({ name }) => name),
    );
  });

  it('probe paths and ports that the service has', () => {
    const names = container.ports.map(({ name }) => name);
    const { startupProbe, livenessProbe, readinessProbe } = container;
    for (const { httpGet } of [startupProbe, livenessProbe, readinessProbe]) {
      assert.ok(probePaths.includes(httpGet.path), httpGet.path);
      assert.equal(httpGet.port, names[0]);
    }
    assert.equal(find('Service').spec.ports[0]?.targetPort, names[0]);
    const open = find('NetworkPolicy').spec.ingress.flatMap(({ ports }) => ports);
    assert.deepEqual(open.map(({ port }) => port).sort(), names.sort());
  });
});
