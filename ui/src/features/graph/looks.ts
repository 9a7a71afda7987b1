/** Shape and colour of a kind of node: never the colour alone. */
export interface Look {
  shape: 'circle' | 'square' | 'hexagon' | 'triangle' | 'diamond';
  color: string;
}

const looks: { [kind: string]: Look } = {
  Service: { shape: 'circle', color: 'var(--c1)' },
  K8sService: { shape: 'circle', color: 'var(--c1)' },
  Ingress: { shape: 'diamond', color: 'var(--c1)' },
  LoadBalancer: { shape: 'diamond', color: 'var(--c1)' },
  Workload: { shape: 'circle', color: 'var(--c7)' },
  Job: { shape: 'circle', color: 'var(--c3)' },
  CronJob: { shape: 'circle', color: 'var(--c3)' },
  ServerlessFunction: { shape: 'circle', color: 'var(--c3)' },
  Pod: { shape: 'square', color: 'var(--c7)' },
  Node: { shape: 'hexagon', color: 'var(--c4)' },
  ComputeInstance: { shape: 'hexagon', color: 'var(--c8)' },
  Cluster: { shape: 'hexagon', color: 'var(--c5)' },
  Account: { shape: 'hexagon', color: 'var(--c5)' },
  Database: { shape: 'square', color: 'var(--c2)' },
  Cache: { shape: 'square', color: 'var(--c2)' },
  Queue: { shape: 'diamond', color: 'var(--c2)' },
  Storage: { shape: 'square', color: 'var(--c6)' },
  PersistentVolumeClaim: { shape: 'square', color: 'var(--c6)' },
  PersistentVolume: { shape: 'diamond', color: 'var(--c6)' },
  Team: { shape: 'diamond', color: 'var(--c4)' },
  Event: { shape: 'triangle', color: 'var(--bad)' },
};

export function lookOf(kind: string): Look {
  return looks[kind] ?? { shape: 'circle', color: 'var(--cx)' };
}

/** The outline of a shape around the middle, as points or a radius of a circle. */
export function outline(shape: Look['shape'], size: number): string {
  const corner = (x: number, y: number) => `${String(x * size)},${String(y * size)}`;
  switch (shape) {
    case 'square':
      return [corner(-0.85, -0.85), corner(0.85, -0.85), corner(0.85, 0.85), corner(-0.85, 0.85)].join(' ');
    case 'hexagon':
      return [
        corner(-0.5, -0.9),
        corner(0.5, -0.9),
        corner(1.05, 0),
        corner(0.5, 0.9),
        corner(-0.5, 0.9),
        corner(-1.05, 0),
      ].join(' ');
    case 'triangle':
      return [corner(0, -1), corner(1.05, 0.85), corner(-1.05, 0.85)].join(' ');
    case 'diamond':
      return [corner(0, -1.1), corner(1.1, 0), corner(0, 1.1), corner(-1.1, 0)].join(' ');
    case 'circle':
      return '';
  }
}
