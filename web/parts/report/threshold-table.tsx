import type { RuntimeView } from '../../../contract/runtime.js';
import { thresholdName } from './threshold-words.js';

interface ThresholdTableProps {
  readonly thresholds: RuntimeView['method']['thresholds'];
}

export function ThresholdTable({ thresholds }: ThresholdTableProps) {
  return (
    <table className="thresholds">
      <caption className="unseen">Thresholds</caption>
      <thead>
        <tr>
          <th scope="col">What</th>
          <th scope="col" className="number">
            Value
          </th>
        </tr>
      </thead>
      <tbody>
        {Object.entries(thresholds).map(([key, value]) => (
          <tr key={key}>
            <th scope="row">{thresholdName(key)}</th>
            <td className="number">{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
