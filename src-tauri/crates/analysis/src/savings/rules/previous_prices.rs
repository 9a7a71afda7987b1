//! Price reductions of successor families, as fractions: on-demand prices of Linux in us-east-1 as published on
//! <https://aws.amazon.com/ec2/pricing/on-demand/> and <https://aws.amazon.com/rds/mysql/pricing/>, for the same size in both families.

/// A family, its successor, and the fraction by which the successor is cheaper.
pub struct Successor {
    pub family: &'static str,
    pub to: &'static str,
    pub share: &'static str,
}

/// Instances: size `large` of both families; `medium` for t2 and t3.
pub const INSTANCES: [Successor; 7] = [
    // 0.0464, 0.0416
    Successor { family: "t2", to: "t3", share: "0.1" },
    // 0.133, 0.096
    Successor { family: "m3", to: "m6i", share: "0.27" },
    // 0.1, 0.096
    Successor { family: "m4", to: "m6i", share: "0.04" },
    // 0.105, 0.085
    Successor { family: "c3", to: "c6i", share: "0.19" },
    // 0.1, 0.085
    Successor { family: "c4", to: "c6i", share: "0.15" },
    // 0.166, 0.126
    Successor { family: "r3", to: "r6i", share: "0.24" },
    // 0.133, 0.126
    Successor { family: "r4", to: "r6i", share: "0.05" },
];

/// Databases: MySQL in one zone.
pub const DATABASES: [Successor; 4] = [
    // 0.068, 0.065 (medium)
    Successor { family: "db.t2", to: "db.t4g", share: "0.04" },
    // 0.185, 0.171 (large)
    Successor { family: "db.m3", to: "db.m5", share: "0.07" },
    // 0.175, 0.171 (large)
    Successor { family: "db.m4", to: "db.m5", share: "0.02" },
    // 0.24, 0.215 (large)
    Successor { family: "db.r4", to: "db.r6g", share: "0.1" },
];
