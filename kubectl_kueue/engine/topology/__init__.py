"""Topology-aware placement as functions of values (topology.md).

forest.py holds the trees of all flavors and what is used in them; plan.py decides which podSets of a
workload are placed where; workload.py places them; placement.py places one podSet in one tree.
"""
