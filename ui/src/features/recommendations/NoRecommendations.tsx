import { Link } from '@tanstack/react-router';
import { PiggyBank } from 'lucide-react';
import { CopyCommand, Empty } from '@/shared';

const exported =
  'aws compute-optimizer export-ec2-instance-recommendations --file-format Csv --s3-destination-config bucket=BUCKET,keyPrefix=recommendations';

/** Before the first file: which one fills the page, and how to get it. */
export function NoRecommendations() {
  return (
    <Empty
      icon={PiggyBank}
      title="No recommendations yet"
      action={
        <div className="stack tight center">
          <CopyCommand label="Export instances" command={exported} />
          <CopyCommand
            label="Export volumes"
            command={exported.replace('export-ec2-instance-recommendations', 'export-ebs-volume-recommendations')}
          />
          <span className="small">Then, when the export is complete:</span>
          <CopyCommand label="Fetch the files" command="aws s3 cp s3://BUCKET/recommendations/ . --recursive" />
          <div className="row middle">
            <Link to="/imports" className="btn pri">
              Import recommendation files
            </Link>
          </div>
        </div>
      }
    >
      An AWS Compute Optimizer export (CSV, of EC2 instances or EBS volumes) fills this page.
    </Empty>
  );
}
