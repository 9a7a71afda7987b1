import { Link } from '@tanstack/react-router';
import { PiggyBank } from 'lucide-react';
import { Empty } from '@/shared';
import { Commands } from './Commands';

const destination = '--file-format Csv --s3-destination-config bucket=BUCKET,keyPrefix=recommendations';

const commands = [
  {
    what: '1. Export the instances',
    command: `aws compute-optimizer export-ec2-instance-recommendations ${destination}`,
  },
  {
    what: '2. Export the volumes',
    command: `aws compute-optimizer export-ebs-volume-recommendations ${destination}`,
  },
  {
    what: '3. Fetch the files when the exports are complete',
    command: 'aws s3 cp s3://BUCKET/recommendations/ . --recursive',
  },
];

/** Before the first file: which one fills the page, and how to get it. */
export function NoRecommendations() {
  return (
    <Empty
      icon={PiggyBank}
      title="No recommendations yet"
      action={
        <div className="stack">
          <Commands commands={commands} />
          <div className="row middle">
            <Link to="/imports" className="btn pri">
              Import recommendation files
            </Link>
          </div>
        </div>
      }
    >
      Rules look for waste in every imported bill and cluster dump. Scanner reports and AWS Compute Optimizer exports
      (CSV, of EC2 instances or EBS volumes) add more: replace BUCKET with a bucket that Compute Optimizer may write to.
    </Empty>
  );
}
